/**
 * Elements made from text: nothing that comes from a file is ever read as markup.
 * @module
 */

/** @typedef {Node | string | null} Child */

/**
 * @param {string} tag @param {{[name: string]: any}} [attributes] `on…` is a listener, null leaves an attribute out
 * @param {...Child} children strings become text
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child !== null) node.append(child);
  return node;
}

/** @param {string} id @returns {HTMLElement} one that the page has from the start */
export const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {HTMLElement} node @param {...Child} children what stands in it from now on */
export const fill = (node, ...children) => node.replaceChildren(...children.filter((child) => child !== null));
