import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

export interface ParameterFault {
  readonly pointer: string;
  readonly message: string;
}

type Schema = Readonly<Record<string, unknown>>;

const OPTIONS = { strict: false, allErrors: true, validateFormats: true } as const;

const compiled = new WeakMap<Schema, ValidateFunction>();
const addFormats = ajvFormats.default;
// To compile a meta-schema takes longer than all else here, so schemas are checked against one that is compiled once.
const draft7 = new Ajv(OPTIONS);
const draft2020 = new Ajv2020(OPTIONS);

function validatorOf(schema: Schema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const old = typeof schema.$schema === 'string' && /draft-0[4-7]/.test(schema.$schema);
  const { $schema: _, ...rest } = schema;
  (old ? draft7 : draft2020).validateSchema(rest, true);
  // Each schema has its own compiler, since two actions may use the same $id.
  const options = { ...OPTIONS, validateSchema: false };
  const ajv = old ? new Ajv(options) : new Ajv2020(options);
  addFormats(ajv as Ajv);
  const made = ajv.compile(rest);
  compiled.set(schema, made);
  return made;
}

/** Why a schema cannot be used; undefined if it can. References to other documents are not fetched. */
export function schemaProblem(schema: Schema): string | undefined {
  try {
    validatorOf(schema);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** `parameters` is plain JSON, as `toPlain` gives it. */
export function parameterFaults(schema: Schema | undefined, parameters: unknown): ParameterFault[] {
  if (!schema) return [];
  const validate = validatorOf(schema);
  if (validate(parameters)) return [];
  return (validate.errors ?? []).map((error) => {
    const missing = error.keyword === 'required' ? error.params.missingProperty : undefined;
    const extra = error.keyword === 'additionalProperties' ? error.params.additionalProperty : undefined;
    const member = (missing ?? extra) as string | undefined;
    const step = member === undefined ? '' : `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return { pointer: `${error.instancePath}${step}`, message: error.message ?? 'is not valid' };
  });
}
