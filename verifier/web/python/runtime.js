/**
 * CPython in WebAssembly, in a worker. The text of `runPython` becomes the end of the worker's script, behind the two
 * scripts of Pyodide: so it uses nothing that stands outside of it.
 * @module
 */

/**
 * Starts Python in this worker, and answers what is asked: JSON text in, JSON text out.
 *
 * In: `{files}` once, from name to bytes; then `{id, text}`. Out: `{ready: milliseconds}`, `{id, text}`, or `{failed: text}`,
 * after which the worker is of no use.
 * @param {(options: any) => Promise<any>} loadPyodide @param {any} createPyodideModule
 */
export function runPython(loadPyodide, createPyodideModule) {
  const scope = /** @type {any} */ (globalThis);
  const place = 'https://files.invalid/';
  /** @type {((text: string) => string) | null} */
  let answer = null;

  /** Has Pyodide get its files from those that were given: there is no network here. @param {{[name: string]: Uint8Array}} files */
  const serve = (files) => {
    scope.fetch = async (/** @type {any} */ url) => {
      const name = String(url).slice(place.length);
      if (!Object.hasOwn(files, name)) throw new TypeError(`no file ${name}`);
      const type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
      return new Response(/** @type {any} */ (files[name]), { headers: { 'content-type': type } });
    };
  };

  /** @param {{[name: string]: Uint8Array}} files */
  const start = async (files) => {
    const began = performance.now();
    serve(files);
    const info = { arch: 'wasm32', platform: 'emscripten_5_0_3', version: '314.0.7', python: '3.14.2', abi_version: '2026_0' };
    const python = await loadPyodide({ indexURL: place, createPyodideModule, lockFileContents: { info, packages: {} } });
    for (const name of ['msgspec.zip', 'code.zip']) python.unpackArchive(files[name], 'zip', { extractDir: '/code' });
    serve({});
    python.runPython('import sys; sys.path.insert(0, "/code")');
    answer = python.pyimport('ledger.browser.driver').answer;
    scope.postMessage({ ready: performance.now() - began });
  };

  scope.onmessage = async (/** @type {MessageEvent} */ { data }) => {
    try {
      if (data.files) await start(data.files);
      else scope.postMessage({ id: data.id, text: /** @type {(text: string) => string} */ (answer)(data.text) });
    } catch (error) {
      scope.postMessage({ failed: String(error).slice(-2000) });
    }
  };
}

/** The names of the files that a worker needs: the first two are its script, the others are handed to it. */
export const SCRIPTS = ['pyodide.mjs', 'pyodide.asm.mjs'];
export const FILES = ['pyodide.asm.wasm', 'python_stdlib.zip', 'msgspec.zip', 'code.zip'];

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
    `${loader.replace(named[0], '')}\n` +
    `${machine.replace(last, '').replaceAll('import.meta.url', '"https://files.invalid/pyodide.asm.mjs"')}\n` +
    `(${runPython})(${named[1]}, _createPyodideModule);\n`
  );
}
