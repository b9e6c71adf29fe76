// node tests/web/patterns.cjs LENGTH    every regular expression that stands in the page and in the verifier of browsers, found by
// TypeScript's tree, on long hostile texts: {"slow": [[file, pattern, milliseconds]], "count": N}, as JSON

const { readFileSync, readdirSync } = require('node:fs');
const { join, relative } = require('node:path');
const ts = require('typescript');

const ROOT = join(__dirname, '..', '..');
const LONG = Number(process.argv[2]);
const PARTS = [
  '/',
  ' ',
  '\n',
  '\t',
  '.',
  '-',
  '"',
  '\\',
  '\\"',
  'a',
  'A',
  '0',
  '9',
  '{',
  '[',
  ',',
  'é\u200d',
  '1\ufe0f\u20e3',
  '/t/',
  ' melee',
  ' a melee 1 2',
  'A: 1 ',
  'quorum ',
  '— a ',
  '+',
  'http://',
  '\ud800',
  '\u05d0',
  'a.',
  '|',
  ' | ',
  '4+ ',
  '1d6',
  'd',
  'd6+',
  '2d6kh1',
  '(',
  ')',
  '\u2066',
  '、',
  '１',
  ' x2',
  'x2 ',
  '#',
  '=',
  '<',
  '&',
  '%',
  '_',
  "'",
  ': ',
  '1,',
  '1-',
  '0a',
];
const texts = PARTS.flatMap((part) => {
  const run = part.repeat(Math.ceil(LONG / part.length));
  return [run, `${run}\u0001`, `x${run}x`, `1${run}`];
});

/** @param {string} folder @returns {string[]} */
const scripts = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory()
      ? each.name === 'vendor' || each.name === 'python'
        ? []
        : scripts(join(folder, each.name))
      : each.name.endsWith('.js')
        ? [join(folder, each.name)]
        : [],
  );

/** @returns {[string, string, string][]} file, pattern and flags */
function patterns() {
  const found = [];
  for (const path of [...scripts(join(ROOT, 'ledger', 'web')), ...scripts(join(ROOT, 'verifier', 'web'))]) {
    const tree = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node) => {
      if (node.kind === ts.SyntaxKind.RegularExpressionLiteral) {
        const at = node.text.lastIndexOf('/');
        found.push([relative(ROOT, path), node.text.slice(1, at), node.text.slice(at + 1)]);
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return found;
}

const slow = [];
const all = patterns();
for (const [file, source, flags] of all) {
  const pattern = new RegExp(source, flags);
  let worst = 0;
  for (const text of texts) {
    const began = process.cpuUsage();
    text.replace(pattern, ''); // all that it finds, where it has the flag g; else the first
    worst = Math.max(worst, process.cpuUsage(began).user / 1_000);
    if (worst > 1_000) break;
  }
  if (worst > 50) slow.push([file, source, Math.round(worst)]);
}
process.stdout.write(JSON.stringify({ count: all.length, slow }));
