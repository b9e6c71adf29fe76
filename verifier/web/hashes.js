/**
 * The leaf hash of a line, and RFC 6962 trees (specs/log.md, "Hashes").
 * @module
 */

import { equal } from './bytes.js';
import { MAX_LINE } from './constants.js';
import { sha256 } from './sha256.js';

/** A zero byte and room for a line. */
const scratch = new Uint8Array(MAX_LINE + 1);

/** @param {Uint8Array} line without its line feed @returns {Uint8Array} */
export function leafHash(line) {
  const data = line.length <= MAX_LINE ? scratch.subarray(0, line.length + 1) : new Uint8Array(line.length + 1);
  data.set(line, 1);
  return sha256(data);
}

/** @param {Uint8Array} left @param {Uint8Array} right @returns {Uint8Array} */
function nodeHash(left, right) {
  const data = new Uint8Array(65);
  data[0] = 1;
  data.set(left, 1);
  data.set(right, 33);
  return sha256(data);
}

/**
 * The RFC 6962 tree over a growing list of leaf hashes. It keeps all nodes, so that the root of any of the
 * first sizes can be told.
 */
export class Tree {
  constructor() {
    /** @type {Uint8Array[][]} nodes of whole subtrees, by level; level 0 has the leaves */
    this.levels = [[]];
  }

  get size() {
    return this.levels[0].length;
  }

  /** @param {Uint8Array} leaf its hash */
  append(leaf) {
    let node = leaf;
    this.levels[0].push(leaf);
    for (let level = 0; this.levels[level].length % 2 === 0; level++) {
      const below = this.levels[level];
      node = nodeHash(below[below.length - 2], node);
      if (this.levels.length === level + 1) this.levels.push([]);
      this.levels[level + 1].push(node);
    }
  }

  /** Keeps only the first leaves. @param {number} size at most the tree's */
  truncate(size) {
    for (let level = 0, left = size; level < this.levels.length; level++, left >>= 1) this.levels[level].length = left;
  }

  /** @param {number} size 1 to the tree's @returns {Uint8Array} the root of the first `size` leaves */
  root(size) {
    let root = null;
    let end = size;
    for (let level = 0; end > 0; level++, end >>= 1) {
      if ((end & 1) === 0) continue;
      const node = this.levels[level][end - 1];
      root = root === null ? node : nodeHash(node, root);
    }
    return /** @type {Uint8Array} */ (root);
  }
}

/** @param {Uint8Array[]} leaves @returns {Uint8Array} the root of all of them, one or more */
function rootOf(leaves) {
  const tree = new Tree();
  for (const leaf of leaves) tree.append(leaf);
  return tree.root(leaves.length);
}

/**
 * Returns the inclusion proof of a leaf (RFC 6962, section 2.1.1).
 * @param {Uint8Array[]} leaves @param {number} index @returns {Uint8Array[]} from the leaf's sibling up
 */
export function inclusionPath(leaves, index) {
  if (leaves.length === 1) return [];
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)];
  return index < half ? [...inclusionPath(left, index), rootOf(right)] : [...inclusionPath(right, index - half), rootOf(left)];
}

/** Half of a number that can be above 2^32, rounded down. @param {number} n */
const half = (n) => Math.floor(n / 2);

/**
 * RFC 6962, section 2.1.1 (as RFC 9162, section 2.1.3.2, checks it).
 * @param {Uint8Array} leaf @param {number} index below size @param {number} size
 * @param {Uint8Array[]} proof @param {Uint8Array} root @returns {boolean}
 */
export function isIncluded(leaf, index, size, proof, root) {
  let node = leaf;
  let at = index;
  let last = size - 1;
  for (const hash of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      node = nodeHash(hash, node);
      while (at % 2 === 0 && at !== 0) {
        at = half(at);
        last = half(last);
      }
    } else {
      node = nodeHash(node, hash);
    }
    at = half(at);
    last = half(last);
  }
  return last === 0 && equal(node, root);
}

/**
 * RFC 6962, section 2.1.2 (as RFC 9162, section 2.1.4.2, checks it).
 * @param {number} older @param {number} newer above older, which is 1 or more
 * @param {Uint8Array[]} proof @param {Uint8Array} olderRoot @param {Uint8Array} newerRoot @returns {boolean}
 */
export function isConsistent(older, newer, proof, olderRoot, newerRoot) {
  let at = older - 1;
  let last = newer - 1;
  while (at % 2 === 1) {
    at = half(at);
    last = half(last);
  }
  // Where the older tree is whole, its root is where the path begins, and does not stand in the proof.
  const path = at === 0 ? [olderRoot, ...proof] : proof;
  if (path.length === 0) return false;
  let one = path[0];
  let other = path[0];
  for (const hash of path.slice(1)) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      one = nodeHash(hash, one);
      other = nodeHash(hash, other);
      while (at % 2 === 0 && at !== 0) {
        at = half(at);
        last = half(last);
      }
    } else {
      other = nodeHash(other, hash);
    }
    at = half(at);
    last = half(last);
  }
  return last === 0 && equal(one, olderRoot) && equal(other, newerRoot);
}
