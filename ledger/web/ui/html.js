/**
 * Preact and htm as the screens use them: one place that knows where they come from.
 * @module
 */

/** @typedef {import('../vendor/htm-preact-standalone.module.js').Content} Content what can stand in a template */

export {
  html,
  render,
  useCallback,
  useEffect,
  useErrorBoundary,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from '../vendor/htm-preact-standalone.module.js';
