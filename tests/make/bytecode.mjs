// `node bytecode.mjs FOLDER IN OUT`: the modules of an archive as byte code, by the Python of Pyodide that stands in FOLDER.
// Without docstrings and assertions (as `python -OO`): nobody reads them there, and they are a fifth of what is loaded.

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [folder, source, made] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: folder, stdLibURL: source });
python.FS.writeFile('/in.zip', new Uint8Array(readFileSync(source)));
python.runPython(`
import importlib.util, marshal, zipfile

CHECKED_NEVER = 1  # a hash of the source instead of its date, which nobody compares (PEP 552)
with zipfile.ZipFile("/in.zip") as sources, zipfile.ZipFile("/out.zip", "w", zipfile.ZIP_STORED) as modules:
    for name in sources.namelist():
        data = sources.read(name)
        if name.endswith(".py"):
            code = compile(data, f"/lib/python314.zip/{name}", "exec", dont_inherit=True, optimize=2)
            head = importlib.util.MAGIC_NUMBER + CHECKED_NEVER.to_bytes(4, "little")
            name, data = f"{name}c", head + importlib.util.source_hash(data) + marshal.dumps(code)
        modules.writestr(zipfile.ZipInfo(name), data)
`);
writeFileSync(made, python.FS.readFile('/out.zip'));
process.exit(0);
