import type { Hasher } from '../../../../kernel/hasher.ts';
import { toolNames } from './tool-names.ts';

const ADAPTERS = ['openai', 'anthropic', 'mcp'] as const;
export type AdapterName = (typeof ADAPTERS)[number];

/** What an adapter needs to know of an action: a manifest's, or one of `allowed_actions`. */
export interface EmittedAction {
  readonly action_id: string;
  readonly name: string;
  readonly description: string;
  readonly parameters_schema?: Readonly<Record<string, unknown>> | undefined;
  readonly risk_tier?: string | undefined;
  readonly idempotent?: boolean | undefined;
}

/** `adapters/<name>.json` of an Atlas, or `adapters.<name>.settings` of its manifest. */
export interface AdapterSettings {
  readonly strict?: unknown;
  readonly descriptions?: unknown;
}

export interface Emitted {
  readonly tools: readonly Record<string, unknown>[];
  /** Tool name → action id: the way back from a model's call. */
  readonly names: Readonly<Record<string, string>>;
}

export function emitTools(
  adapter: AdapterName,
  actions: readonly EmittedAction[],
  hasher: Hasher,
  settings: AdapterSettings = {},
): Emitted {
  const table = toolNames(
    actions.map(({ action_id }) => action_id),
    hasher,
  );
  const tools = actions.map((action) =>
    shapes[adapter](action, table.nameOf.get(action.action_id) as string, settings),
  );
  return { tools, names: Object.fromEntries(table.actionOf) };
}

type Shape = (action: EmittedAction, name: string, settings: AdapterSettings) => Record<string, unknown>;

const shapes: Readonly<Record<AdapterName, Shape>> = {
  openai: (action, name, settings) => ({
    type: 'function',
    function: {
      name,
      description: describe(action, settings),
      parameters: inputSchema(action),
      ...(settings.strict === true && { strict: true }),
    },
  }),
  anthropic: (action, name, settings) => ({
    name,
    description: describe(action, settings),
    input_schema: inputSchema(action),
  }),
  mcp: (action, name, settings) => ({
    name,
    title: action.name,
    description: describe(action, settings),
    inputSchema: inputSchema(action),
    annotations: {
      idempotentHint: action.idempotent ?? false,
      destructiveHint: action.risk_tier === 'high' || action.risk_tier === 'critical',
    },
  }),
};

/** Tool interfaces ask for an object at the top. */
function inputSchema(action: EmittedAction): Readonly<Record<string, unknown>> {
  const schema = action.parameters_schema ?? {};
  return schema.type === 'object' ? schema : { type: 'object', properties: {}, ...schema };
}

function describe(action: EmittedAction, settings: AdapterSettings): string {
  const own = settings.descriptions;
  if (typeof own === 'object' && own !== null && Object.hasOwn(own, action.action_id)) {
    const text = (own as Record<string, unknown>)[action.action_id];
    if (typeof text === 'string') return text;
  }
  return action.description;
}
