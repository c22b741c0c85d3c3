/**
 * In the place of the MCP SDK's default validator, which has a second copy of ajv inside. Judges as that one does: the
 * dialect that a schema declares, formats included, and without checking the schema itself.
 */
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

const OPTIONS = { strict: false, validateFormats: true, validateSchema: false, allErrors: true };
const DIALECTS = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema$/, Ajv2020],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema$/, Ajv2019],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema$/, Ajv],
];

function dialectOf({ $schema }) {
  if (typeof $schema !== 'string') return Ajv2020;
  const declared = $schema.replace(/#$/, '');
  const found = DIALECTS.find(([name]) => name.test(declared));
  if (!found) throw new Error(`The schema is of an unsupported dialect: ${declared.slice(0, 200)}`);
  return found[1];
}

export class JsonSchemaValidator {
  #engines = new Map();

  getValidator(schema) {
    const engine = this.#engineOf(dialectOf(schema));
    const known = typeof schema.$id === 'string' ? engine.getSchema(schema.$id) : undefined;
    const check = known ?? engine.compile(schema);
    return (input) =>
      check(input)
        ? { valid: true, data: input, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: engine.errorsText(check.errors) };
  }

  #engineOf(Dialect) {
    const made = this.#engines.get(Dialect);
    if (made) return made;
    const engine = new Dialect(OPTIONS);
    ajvFormats.default(engine);
    this.#engines.set(Dialect, engine);
    return engine;
  }
}

/** The name under which the SDK's own modules ask for it. */
export { JsonSchemaValidator as n };
