/**
 * Files that leave the page: saved one by one, or several as a zip without compression (PKWARE APPNOTE 6.3.10).
 * @module
 */

/** @typedef {{name: string, bytes: Uint8Array}} SavedFile */

/** @param {string} name @returns {string} as a file can be called on any system */
export const fileName = (name) =>
  name
    .replace(/[^\p{L}\p{N}._ -]+/gu, '-')
    .replace(/^[. -]+|[. -]+$/g, '')
    .slice(0, 80) || 'rollproof';

/** @param {string} name @param {Uint8Array | Blob} content */
export function save(name, content) {
  const url = URL.createObjectURL(
    content instanceof Blob ? content : new Blob([/** @type {BlobPart} */ (content)], { type: 'application/octet-stream' }),
  );
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(name);
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** @param {SavedFile[]} files */
export const saveAll = (files) => (files.length === 1 ? save(files[0].name, files[0].bytes) : save('rollproof.zip', zip(files)));

const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** @param {Uint8Array} bytes @returns {number} CRC-32 (ISO 3309) */
function crc32(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = CRC[(c ^ byte) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** @param {SavedFile[]} files @returns {string[]} their names, none twice */
function names(files) {
  const taken = new Set();
  return files.map(({ name }) => {
    const [, stem, end] = /** @type {RegExpMatchArray} */ (fileName(name).match(/^(.*?)((?:\.[^.]*)?)$/s));
    let free = `${stem}${end}`;
    for (let n = 2; taken.has(free); n++) free = `${stem} (${n})${end}`;
    taken.add(free);
    return free;
  });
}

/**
 * @param {SavedFile[]} files below 4 GB together @param {Date} [now] @returns {Uint8Array}
 */
export function zip(files, now = new Date()) {
  const time = (now.getHours() << 11) | (now.getMinutes() << 5) | (now.getSeconds() >> 1);
  const date = ((Math.max(now.getFullYear(), 1980) - 1980) << 9) | ((now.getMonth() + 1) << 5) | now.getDate();
  /** @type {Uint8Array[]} */
  const parts = [];
  /** @type {Uint8Array[]} */
  const directory = [];
  let offset = 0;
  names(files).forEach((text, i) => {
    const name = new TextEncoder().encode(text);
    const { bytes } = files[i];
    const head = new DataView(new ArrayBuffer(30));
    // The signature, version 2.0, names in UTF-8 (bit 11), stored.
    head.setUint32(0, 0x04034b50, true);
    [20, 0x0800, 0, time, date].forEach((value, k) => head.setUint16(4 + 2 * k, value, true));
    [crc32(bytes), bytes.length, bytes.length].forEach((value, k) => head.setUint32(14 + 4 * k, value, true));
    head.setUint16(26, name.length, true);
    const entry = new DataView(new ArrayBuffer(46));
    entry.setUint32(0, 0x02014b50, true);
    entry.setUint16(4, 20, true);
    new Uint8Array(entry.buffer).set(new Uint8Array(head.buffer, 4, 26), 6);
    entry.setUint32(42, offset, true);
    const local = [new Uint8Array(head.buffer), name, bytes];
    parts.push(...local);
    directory.push(new Uint8Array(entry.buffer), name);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  });
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(
    12,
    directory.reduce((sum, part) => sum + part.length, 0),
    true,
  );
  end.setUint32(16, offset, true);
  const all = [...parts, ...directory, new Uint8Array(end.buffer)];
  const out = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
