// Has an OpenAPI document validated by @seriousme/openapi-schema-validator, compiles each of its schemas with Ajv, and says
// of values whether they are what the document says.
// In: {"document", "cases": [{"at": JSON pointer of a schema, "value"}]} on standard input.
// Out: {"valid", "version", "errors", "schemas": number compiled, "cases": [{"holds", "errors"}]}.
const { pathToFileURL } = require('node:url');

async function main() {
  const { Validator } = await import(pathToFileURL(require.resolve('@seriousme/openapi-schema-validator')).href);
  const Ajv = require('ajv/dist/2020').default;
  const { document, cases } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  // `strict`: an unknown keyword is an error, but for those that OpenAPI has beside JSON Schema.
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, validateFormats: false, allErrors: true });
  ajv.addVocabulary(['example', 'openapi', 'info', 'servers', 'paths', 'components', 'summary']);
  ajv.addSchema({ $id: 'https://rollproof.invalid/openapi', ...document });
  const names = Object.keys(document.components.schemas);
  for (const name of names) ajv.compile({ $ref: `https://rollproof.invalid/openapi#/components/schemas/${name}` });
  const found = cases.map(({ at, value }) => {
    const check = ajv.compile({ $ref: `https://rollproof.invalid/openapi#${at}` });
    return { holds: check(value), errors: JSON.stringify(check.errors) };
  });
  process.stdout.write(JSON.stringify({ valid, version: validator.version, errors: errors ?? null, schemas: names.length, cases: found }));
}

main();
