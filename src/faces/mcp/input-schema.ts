import { jsonSchema } from '../../spine/operations/json-schema.ts';
import { type Action, isRequired } from './actions.ts';
import type { Group } from './groups.ts';

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
}

/** What one action takes. */
export function argumentsSchema({
  fields,
  open,
  operation,
}: Action): InputSchema & { additionalProperties?: boolean } {
  const required = [...fields].filter(([, schema]) => isRequired(schema)).map(([name]) => name);
  // Written where a schema cannot say what goes together.
  const examples = operation.bodyName ? undefined : operation.input.body?.meta()?.examples;
  return {
    type: 'object',
    properties: Object.fromEntries([...fields].map(([name, schema]) => [name, jsonSchema(schema, 'input')])),
    ...(required.length > 0 && { required }),
    ...(Array.isArray(examples) && { examples }),
    ...(!open && { additionalProperties: false }),
  };
}

/** `action` chooses among a group's actions, so that an argument of that name has to be called something else there. */
export function groupArgument(action: Action, field: string): string {
  return field === 'action' ? `${action.name}_action` : field;
}

/** All arguments of all actions of a group; each says which actions take it. */
export function groupSchema({ actions }: Group): InputSchema {
  const found = new Map<string, { schemas: Map<string, Record<string, unknown>>; takenBy: string[] }>();
  for (const action of actions.values()) {
    for (const [field, schema] of action.fields) {
      const name = groupArgument(action, field);
      const entry = found.get(name) ?? { schemas: new Map(), takenBy: [] as string[] };
      const written = jsonSchema(schema, 'input');
      entry.schemas.set(JSON.stringify({ ...written, description: undefined }), written);
      entry.takenBy.push(action.name);
      found.set(name, entry);
    }
  }
  const properties: Record<string, unknown> = { action: { type: 'string', enum: [...actions.keys()] } };
  for (const [name, { schemas, takenBy }] of found) {
    const [first = {}, ...others] = schemas.values();
    const note = takenBy.length === actions.size ? '' : `For ${takenBy.join(', ')}. `;
    const description = `${note}${first.description ?? ''}`.trim();
    const schema = others.length > 0 ? { anyOf: [first, ...others] } : first;
    properties[name] = { ...schema, ...(description && { description }) };
  }
  return { type: 'object', properties, required: ['action'] };
}
