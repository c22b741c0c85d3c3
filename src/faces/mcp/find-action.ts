import type { Action } from './actions.ts';
import { annotationsOf } from './annotations.ts';
import { exampleOf } from './example.ts';
import type { Group } from './groups.ts';
import { argumentsSchema } from './input-schema.ts';

export const FIND_ACTION = 'find_action';
export const CALL_ACTION = 'call_action';

const text = { type: 'string' } as const;

/** Two tools and not one, so that a client may let an agent look around without asking the person each time. */
export const MORE_TOOLS = [
  {
    name: FIND_ACTION,
    title: 'Find more actions',
    description:
      'Baton does more than these tools: journal and proofs, inbox, reviews, sessions, lineage, memory of the person, governed runs, other agents, channels. Lists what there is; with an action, what it takes and an example.',
    inputSchema: {
      type: 'object',
      properties: {
        words: { ...text, description: 'Only actions that these words fit.' },
        action: { ...text, description: 'Describe this one, such as journal.why.' },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL_ACTION,
    title: 'Call an action',
    description: 'Call an action that find_action lists.',
    inputSchema: {
      type: 'object',
      properties: { action: text, arguments: { type: 'object' } },
      required: ['action'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
] as const;

export function describeAction(action: Action): string {
  const { id, operation } = action;
  const schema = argumentsSchema(action);
  return JSON.stringify({
    action: id,
    does: operation.summary,
    ...(operation.description !== undefined && { note: operation.description }),
    ...(operation.decides !== undefined && {
      decides: 'A person’s decision: refused from a person’s own credential.',
    }),
    annotations: annotationsOf([operation]),
    arguments: schema,
    example: { name: CALL_ACTION, arguments: { action: id, arguments: exampleOf({ ...schema }) } },
  });
}

/** One line for each action that every word is found in, by group; all of them without words. */
export function listActions(groups: ReadonlyMap<string, Group>, words = ''): string {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const lines: string[] = [];
  for (const { name, purpose, actions } of groups.values()) {
    const shown = [...actions.values()].filter(({ id, operation }) => {
      const said = `${id} ${purpose} ${operation.summary}`.toLowerCase();
      return wanted.every((word) => said.includes(word));
    });
    if (shown.length === 0) continue;
    lines.push(`${name}: ${purpose}`, ...shown.map(({ id, operation }) => `- ${id}: ${operation.summary}`));
  }
  if (lines.length === 0)
    return `No action fits these words. Call ${FIND_ACTION} without words to see all of them.`;
  return `${lines.join('\n')}\n\nWhat one takes: ${FIND_ACTION} with action. To call it: ${CALL_ACTION} with action and arguments.`;
}
