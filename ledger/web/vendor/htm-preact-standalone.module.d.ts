/**
 * The types of what the page uses of htm-preact-standalone.module.js, which comes without any. Written here; served to nobody.
 */

/** A part of a screen. */
export interface VNode {
  readonly type: unknown;
  readonly props: object;
}

/** What a listener of a control is told: of a key or a click or a change, with the control that it was put on. */
export type Happening = KeyboardEvent & { readonly currentTarget: HTMLInputElement & HTMLDetailsElement; readonly target: EventTarget };

/**
 * What can stand in a template. What a component is given there is not checked: htm's templates have no types. A function without
 * types of its own is taken for a listener.
 */
export type Content = ((happening: Happening) => unknown) | object | string | number | bigint | boolean | null | undefined;

export function html(strings: TemplateStringsArray, ...parts: Content[]): VNode;
export function render(node: VNode, root: Element): void;

export type Cleanup = (() => void) | undefined | void;
export function useState<S>(initial: S | (() => S)): [S, (next: S | ((before: S) => S)) => void];
export function useRef<T>(initial: T): { current: T };
export function useEffect(effect: () => Cleanup, on?: readonly unknown[]): void;
export function useLayoutEffect(effect: () => Cleanup, on?: readonly unknown[]): void;
export function useMemo<T>(make: () => T, on: readonly unknown[]): T;
export function useCallback<F extends (...given: never[]) => unknown>(call: F, on: readonly unknown[]): F;
export function useErrorBoundary(callback?: (error: unknown) => void): [unknown, () => void];
