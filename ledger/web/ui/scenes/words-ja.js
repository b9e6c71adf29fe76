/**
 * The Japanese of what the scenes say, by the English template.
 * @module
 */

export const JAPANESE = {
};
