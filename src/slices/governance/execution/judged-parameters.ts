import type { Hasher } from '../../../kernel/hasher.ts';
import type { Task } from '../../../platform/bounded-work/bounded-work.ts';
import { WorkNeeded } from '../../../platform/bounded-work/work-needed.ts';
import type { Schema } from './compile-schema.ts';
import { type ParameterFault, parameterFaults, schemaProblem } from './parameter-check.ts';
import { isCheapToCheck, isCheapToCompile } from './schema-cost.ts';

export interface ParameterCall {
  readonly schema: Schema | undefined;
  /** Plain JSON, as `toPlain` gives it. */
  readonly parameters: unknown;
  /** Their length as text, and the digest that the unit has of them. */
  readonly length: number;
  readonly hash: string;
}

/** Inside a unit: what is wrong with the parameters of a call, or the work that has to be done first to know. */
export type JudgeParameters = (call: ParameterCall) => readonly ParameterFault[];

interface SchemaAndParameters {
  readonly schema: Schema;
  /** Tells schemas apart whose compiled form the thread may still have. */
  readonly digest: string;
  readonly parameters: unknown;
}

/** Threads see a copy of the schema each time, and compile it once. */
const seen = new Map<string, Schema>();
const KEPT_SCHEMAS = 50;

export const judgeParametersTask: Task<SchemaAndParameters, readonly ParameterFault[]> = {
  name: 'governance.parameters',
  run({ schema, digest, parameters }) {
    const known = seen.get(digest) ?? schema;
    if (seen.size >= KEPT_SCHEMAS) seen.clear();
    seen.set(digest, known);
    // What was loaded before patterns had to be linear stays usable: this thread has a budget.
    return parameterFaults(known, parameters, schemaProblem(known) === undefined ? 'linear' : 'any');
  },
};

const KEPT_JUDGEMENTS = 200;

/** Judges what is surely cheap at once, and everything else by work that is done before the unit runs again. */
export function createParameterJudge(hasher: Hasher): JudgeParameters {
  const judged = new Map<string, readonly ParameterFault[]>();
  const digests = new WeakMap<Schema, string>();

  function digestOf(schema: Schema): string {
    const digest = digests.get(schema) ?? hasher.hex(JSON.stringify(schema));
    digests.set(schema, digest);
    return digest;
  }

  return ({ schema, parameters, length, hash }) => {
    if (!schema) return [];
    const cheap =
      isCheapToCheck(schema, length) && isCheapToCompile(schema) && schemaProblem(schema) === undefined;
    if (cheap) return parameterFaults(schema, parameters);
    const digest = digestOf(schema);
    const key = `${digest} ${hash}`;
    const faults = judged.get(key);
    if (faults) return faults;
    throw new WorkNeeded(judgeParametersTask, { schema, digest, parameters }, (result) => {
      if (judged.size >= KEPT_JUDGEMENTS) judged.clear();
      judged.set(key, result);
    });
  };
}
