import { fromJsonSchema, type JsonSchemaType, type ListToolsResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Registry } from '../../spine/dispatch/registry.ts';
import type { Operation } from '../../spine/operations/define.ts';
import { jsonSchema } from '../../spine/operations/json-schema.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { type: 'object'; properties: Record<string, unknown>; required: string[] };
  readonly actions: ReadonlyMap<string, Operation>;
  /** What is wrong with the arguments, in words; undefined where they fit. */
  refuse(args: unknown): string | undefined;
}

const tables = new WeakMap<Registry, ReadonlyMap<string, Tool>>();

/** The tools of a registry by name, described once in the life of the process. */
export function toolsOf(registry: Registry): ReadonlyMap<string, Tool> {
  let table = tables.get(registry);
  if (!table) {
    const tools = describeTools([...registry.values()].map(({ operation }) => operation));
    table = new Map(tools.map((tool) => [tool.name, tool]));
    tables.set(registry, table);
  }
  return table;
}

/** As `tools/list` answers it. */
export function listOf(tools: Iterable<Tool>): ListToolsResult {
  const listed = [...tools].map(({ actions: _, refuse: __, ...tool }) => tool);
  return { tools: listed } as ListToolsResult;
}

/** What each tool is for, in the order in which they are listed; its actions come from the operations that name it. */
const PURPOSES: Readonly<Record<string, string>> = {
  journal: 'The provable record of every change: read it, ask why, check it, prove one entry.',
  inbox: 'Decisions that wait for a person: see what is waiting and what was decided.',
  context:
    'What was done, decided and left open. Begin with orient; deposit at every decision and before you stop; start_session gives you a callsign.',
  facts: 'What is true now, what was true then, and who said so.',
  review: 'Gates that packages wait at: ask for a review, see the queue, decide.',
  search: 'Find packages and facts by meaning and by words.',
  governance: 'What you may do: ask before acting, act through it, and see why.',
  traces: 'What agents said to each other: sessions, traces as trees, the agent graph.',
  relay: 'The agents that can be reached through the relay, and the tasks that went to them.',
  channel: 'Coordinate with other agents: shared state with compare-and-set, leases, events and receipts.',
  runs: 'Governed runs: where each stands, what was decided in it and what comes next.',
  memory:
    'What is known of the person, with their consent: recall what you may see, propose what you learned. They decide what is kept.',
};

/** One tool per group of operations, an `action` choosing among them: all of Baton in few tools. */
export function describeTools(operations: Iterable<Operation>): Tool[] {
  const groups = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const face = operation.mcp;
    if (!face) continue;
    const actions = groups.get(face.tool) ?? new Map<string, Operation>();
    groups.set(face.tool, actions.set(face.action, operation));
  }
  const order = Object.keys(PURPOSES);
  return [...groups]
    .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
    .map(([name, actions]) => describeTool(name, actions));
}

function describeTool(name: string, actions: ReadonlyMap<string, Operation>): Tool {
  const purpose = PURPOSES[name];
  if (!purpose) throw new Error(`the MCP tool ${name} has no purpose in mcp/tools.ts`);
  const lines = [...actions].map(([action, { summary }]) => `- ${action}: ${summary}`);
  const inputSchema: Tool['inputSchema'] = {
    type: 'object',
    properties: { action: { type: 'string', enum: [...actions.keys()] }, ...argumentsOf(actions) },
    required: ['action'],
  };
  return {
    name,
    description: `${purpose}\nActions:\n${lines.join('\n')}`,
    inputSchema,
    actions,
    refuse: refusalsBy(inputSchema),
  };
}

/** Compiled when it is first asked: an agent uses few of the tools, and to list them needs none. */
function refusalsBy(inputSchema: Tool['inputSchema']): Tool['refuse'] {
  let schema: ReturnType<typeof fromJsonSchema> | undefined;
  return (args) => {
    schema ??= fromJsonSchema(inputSchema as JsonSchemaType);
    const result = schema['~standard'].validate(args) as { issues?: readonly { message: string }[] };
    return result.issues?.map(({ message }) => message).join(', ');
  };
}

/** All arguments of all actions; each says which actions take it. Which are needed is checked by the operation. */
function argumentsOf(actions: ReadonlyMap<string, Operation>): Record<string, unknown> {
  const found = new Map<string, { schema: Record<string, unknown>; takenBy: string[] }>();
  for (const [action, operation] of actions) {
    const { path, query, headers, body } = operation.input;
    const fields: [string, z.ZodType][] = [path, query, headers].flatMap((part) =>
      Object.entries((part?.shape ?? {}) as Record<string, z.ZodType>),
    );
    if (body && operation.bodyName) fields.push([operation.bodyName, body]);
    else if (body instanceof z.ZodObject)
      fields.push(...(Object.entries(body.shape) as [string, z.ZodType][]));
    for (const [name, schema] of fields) {
      const entry = found.get(name);
      if (entry) entry.takenBy.push(action);
      else found.set(name, { schema: jsonSchema(schema, 'input'), takenBy: [action] });
    }
  }
  const properties: Record<string, unknown> = {};
  for (const [name, { schema, takenBy }] of found) {
    const note = takenBy.length === actions.size ? '' : `For ${takenBy.join(', ')}. `;
    properties[name] = { ...schema, description: `${note}${schema.description ?? ''}`.trim() || undefined };
  }
  return properties;
}
