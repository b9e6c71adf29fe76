/**
 * CPython in WebAssembly, in a worker. The text of `runPython` becomes the end of the worker's script, behind the two
 * scripts of Pyodide: so it uses nothing that stands outside of it.
 * @module
 */

/**
 * Starts Python in this worker, and answers what is asked: JSON text in, JSON text out.
 *
 * In: `{name, bytes}` of each file, in any order; then `{id, text}`. Out: `{ready: milliseconds}` since the last file came,
 * `{id, text}`, or `{failed: text}`, after which the worker is of no use. Nothing is said before all files have come.
 * @param {(options: any) => Promise<any>} loadPyodide @param {any} createPyodideModule @param {string[]} names of the files
 */
export function runPython(loadPyodide, createPyodideModule, names) {
  const scope = /** @type {any} */ (globalThis);
  const place = 'https://files.invalid/';
  /** @type {((text: string) => string) | null} */
  let answer = null;

  /** The resolvers of awaited files, by name. @type {Map<string, (bytes: Uint8Array) => void>} */
  const giving = new Map();
  /** @type {Map<string, Promise<Uint8Array>>} */
  const files = new Map(names.map((name) => [name, new Promise((resolve) => giving.set(name, resolve))]));
  let began = 0;
  const all = Promise.all(files.values()).then(() => {
    began = performance.now();
  });

  /** A file, which is kept no longer. @param {string} name @returns {Promise<Uint8Array>} */
  const taken = (name) => {
    const file = files.get(name);
    files.delete(name);
    return file ?? Promise.reject(new TypeError(`no file ${name}`));
  };

  /** Pyodide gets its files from those that are given: there is no network here. */
  scope.fetch = async (/** @type {any} */ url) => {
    const name = String(url).slice(place.length);
    const type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    const bytes = /** @type {any} */ (await taken(name));
    const answered = new Response(bytes, { headers: { 'content-type': type } }); // a copy
    bytes.buffer.transfer?.(0);
    return answered;
  };

  const start = async () => {
    const info = { arch: 'wasm32', platform: 'emscripten_5_0_3', version: '314.0.7', python: '3.14.2', abi_version: '2026_0' };
    const python = await loadPyodide({ indexURL: place, createPyodideModule, lockFileContents: { info, packages: {} } });
    for (const name of ['msgspec.zip', 'code.zip']) python.unpackArchive(await taken(name), 'zip', { extractDir: '/code' });
    files.clear();
    python.runPython('import sys; sys.dont_write_bytecode = True; sys.path.insert(0, "/code")');
    answer = python.pyimport('ledger.browser.driver').answer;
    scope.postMessage({ ready: performance.now() - began });
  };

  const failed = (/** @type {unknown} */ error) => scope.postMessage({ failed: String(error).slice(-2000) });

  scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
    try {
      if (data.name !== undefined) {
        giving.get(data.name)?.(data.bytes);
        giving.delete(data.name);
      } else scope.postMessage({ id: data.id, text: /** @type {(text: string) => string} */ (answer)(data.text) });
    } catch (error) {
      failed(error);
    }
  };

  start().catch(async (error) => {
    await all;
    failed(error);
  });
}

/** The names of the files that a worker needs: the first two are its script, the others are handed to it. */
export const SCRIPTS = ['pyodide.mjs', 'pyodide.asm.mjs'];
export const FILES = ['pyodide.asm.wasm', 'python_stdlib.zip', 'msgspec.zip', 'code.zip'];

/**
 * The text before the scripts of Pyodide. They try `importScripts`, and start only where it fails. Each policy of ours
 * refuses it, and a browser prints that as an attack; here it fails before a policy is asked.
 */
const NO_IMPORTS = "globalThis.importScripts = () => { throw new TypeError('no script comes by the network here'); };";

/**
 * The script of a worker. A page from disk, or in a sandbox, starts none from a module; so what makes the two texts modules
 * is taken out: their exports, and the address that they ask for.
 * @param {string[]} scripts the texts of SCRIPTS @returns {string}
 */
export function workerScript(scripts) {
  const [loader, machine] = scripts;
  const named = /export\{(\w+) as loadPyodide,\w+ as version\};/.exec(loader);
  const last = 'export default _createPyodideModule;';
  if (named === null || !machine.includes(last)) throw new Error('these are not the modules of Pyodide that are known here');
  return (
    `${NO_IMPORTS}\n${loader.replace(named[0], '')}\n` +
    `${machine.replace(last, '').replaceAll('import.meta.url', '"https://files.invalid/pyodide.asm.mjs"')}\n` +
    `(${runPython})(${named[1]}, _createPyodideModule, ${JSON.stringify(FILES)});\n`
  );
}
