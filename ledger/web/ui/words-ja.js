/**
 * The Japanese of each template of the page and of core.
 * @module
 */

/** @type {{[text: string]: string}} */
export const JAPANESE = {
};
