/**
 * The Japanese of each template.
 * @module
 */

/** @type {{[text: string]: string}} */
export const JAPANESE = {};
