import { z } from 'zod';
import type { Operation } from '../../spine/operations/define.ts';
import { unwrapped } from '../../spine/operations/text-input.ts';

/** An operation as agents call it: `journal.changes` with named arguments. */
export interface Action {
  /** `tool.action`: how `find_action` and `call_action` name it. */
  readonly id: string;
  readonly tool: string;
  readonly name: string;
  readonly operation: Operation;
  readonly fields: ReadonlyMap<string, z.ZodType>;
  /** The operation keeps members that it does not know. */
  readonly open: boolean;
}

/** Files that the process beside the agent reads, where an operation takes anchors. */
export const FILES_FIELD = 'files';
const filesSchema = z
  .array(z.string())
  .max(100)
  .optional()
  .describe('Paths of files that this is about; Baton notes their content, to say later what has changed.');

/** By id, in the order in which they are declared. */
export function actionsOf(operations: Iterable<Operation>): ReadonlyMap<string, Action> {
  const actions = new Map<string, Action>();
  for (const operation of operations) {
    if (!operation.mcp) continue;
    const { tool, action: name } = operation.mcp;
    const id = `${tool}.${name}`;
    actions.set(id, { id, tool, name, operation, ...fieldsOf(operation) });
  }
  return actions;
}

function fieldsOf({ input, bodyName }: Operation): Pick<Action, 'fields' | 'open'> {
  const { path, query, headers, body } = input;
  const fields = new Map<string, z.ZodType>();
  const add = (shape: unknown) => {
    for (const [name, schema] of Object.entries((shape ?? {}) as Record<string, z.ZodType>)) {
      if (!fields.has(name)) fields.set(name, schema);
    }
  };
  for (const part of [path, query, headers]) add(part?.shape);
  if (body && bodyName) fields.set(bodyName, body);
  const bare = body && !bodyName ? unwrapped(body) : undefined;
  if (bare instanceof z.ZodObject) add(bare.shape);
  if (fields.has('x-anchors')) fields.set(FILES_FIELD, filesSchema);
  return { fields, open: bare instanceof z.ZodObject && bare.def.catchall instanceof z.ZodUnknown };
}

export function isRequired(schema: z.ZodType): boolean {
  return !schema.safeParse(undefined).success;
}
