import { z } from 'zod';
import { callable } from '../../spine/operations/callable.ts';
import type { Decides } from '../../spine/operations/decides.ts';
import type { CliFace, Operation } from '../../spine/operations/define.ts';
import type { CallableOperation } from '../../spine/operations/flat-input.ts';
import { ownProject } from '../../spine/operations/own-project.ts';
import type { TextForm } from '../../spine/operations/text-form.ts';
import { textForm, unwrapped } from '../../spine/operations/text-input.ts';

/** An input as a command line shows and reads it. */
export interface CommandInput {
  readonly name: string;
  readonly description: string;
  readonly form: TextForm;
  /** Declared optional: shown as `[name]` where it is given by position. */
  readonly optional: boolean;
  /** Must be given: nothing stands in for it. */
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** A project that need not be named: the repository's own, where a person bound one. */
  readonly ownProject?: true;
}

/** What the command line has to know of an operation: plain data, so that a command loads no schema. */
export interface CommandOperation extends CallableOperation {
  readonly summary: string;
  readonly faces: readonly CliFace[];
  readonly decides?: Decides;
  /** In the order of its parts. */
  readonly inputs: readonly CommandInput[];
}

export function commandOperation(operation: Operation): CommandOperation {
  return {
    ...callable(operation),
    summary: operation.summary,
    faces: [operation.cli ?? []].flat() as CliFace[],
    ...(operation.decides !== undefined && { decides: operation.decides }),
    inputs: inputsOf(operation),
  };
}

function inputsOf({ input, bodyName }: Operation): CommandInput[] {
  const { path, query, headers, body } = input;
  const found = [path, query, headers].flatMap((part) => Object.entries(part?.shape ?? {}));
  const bare = body && unwrapped(body);
  if (body && bodyName) found.push([bodyName, body]);
  else if (bare instanceof z.ZodObject) found.push(...Object.entries(bare.shape));
  return found.map(([name, schema]) => commandInput(name, schema as z.ZodType));
}

function commandInput(name: string, schema: z.ZodType): CommandInput {
  const bare = unwrapped(schema);
  return {
    name,
    description: schema.description ?? bare.description ?? '',
    form: textForm(schema),
    optional: schema instanceof z.ZodOptional,
    required: !schema.safeParse(undefined).success,
    ...(schema === ownProject && { ownProject: true as const }),
    ...(bare instanceof z.ZodEnum && { choices: bare.options.map(String) }),
  };
}
