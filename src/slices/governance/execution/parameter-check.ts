import type { ValidateFunction } from 'ajv';
import { asRecord } from '../../../kernel/json/loose.ts';
import { suggestion } from '../../../kernel/nearest.ts';
import { compileSchema, type PatternEngine, type Schema } from './compile-schema.ts';

export interface ParameterFault {
  readonly pointer: string;
  readonly message: string;
}

/** Why a schema cannot be used; undefined if it can. */
export function schemaProblem(schema: Schema): string | undefined {
  try {
    validatorOf(schema, 'linear');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const compiled: Readonly<Record<PatternEngine, WeakMap<Schema, ValidateFunction>>> = {
  linear: new WeakMap(),
  any: new WeakMap(),
};

function validatorOf(schema: Schema, engine: PatternEngine): ValidateFunction {
  const known = compiled[engine].get(schema);
  if (known) return known;
  const made = compileSchema(schema, engine);
  compiled[engine].set(schema, made);
  return made;
}

/** More than anybody reads; a value with a fault in each of its members would have as many as members. */
const MOST_FAULTS = 100;

/** `parameters` is plain JSON, as `toPlain` gives it. */
export function parameterFaults(
  schema: Schema | undefined,
  parameters: unknown,
  engine: PatternEngine = 'linear',
): ParameterFault[] {
  if (!schema) return [];
  const validate = validatorOf(schema, engine);
  if (validate(parameters)) return [];
  return (validate.errors ?? []).slice(0, MOST_FAULTS).map((error) => {
    const missing = error.keyword === 'required' ? error.params.missingProperty : undefined;
    const extra = error.keyword === 'additionalProperties' ? error.params.additionalProperty : undefined;
    const member = (missing ?? extra) as string | undefined;
    const step = member === undefined ? '' : `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    return {
      pointer: `${error.instancePath}${step}`,
      message:
        missing !== undefined
          ? 'is required'
          : extra !== undefined
            ? unknownMember(String(extra), error.instancePath === '' ? schema : undefined)
            : (error.message ?? 'is not valid'),
    };
  });
}

function unknownMember(name: string, schema: Schema | undefined): string {
  if (schema === undefined) return 'is not known';
  return `is not known: ${suggestion(name, Object.keys(asRecord(asRecord(schema).properties)))}`;
}
