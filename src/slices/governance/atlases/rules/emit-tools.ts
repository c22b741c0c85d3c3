import type { Hasher } from '../../../../kernel/hasher.ts';
import { asRecord, asString } from '../../../../kernel/json/loose.ts';
import { inline } from '../../../../kernel/quoted.ts';
import { visible } from '../../../../kernel/visible-text.ts';

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
    title: inline(action.name),
    description: describe(action, settings),
    inputSchema: inputSchema(action),
    annotations: {
      idempotentHint: action.idempotent ?? false,
      destructiveHint: action.risk_tier === 'high' || action.risk_tier === 'critical',
    },
  }),
};

/** Tool interfaces require an object at the top. */
function inputSchema(action: EmittedAction): Readonly<Record<string, unknown>> {
  const schema = action.parameters_schema ?? {};
  return described(schema.type === 'object' ? schema : { type: 'object', properties: {}, ...schema });
}

/** Names and values stay, since calls use them; what is only read hides nothing from whoever reviews it. */
function described(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(schema), (name, value) =>
    (name === 'description' || name === 'title') && typeof value === 'string' ? visible(value) : value,
  );
}

function describe(action: EmittedAction, settings: AdapterSettings): string {
  const own = asRecord(settings.descriptions);
  const text = Object.hasOwn(own, action.action_id) ? asString(own[action.action_id]) : undefined;
  return visible(text ?? action.description);
}

/** What the tool interfaces of the model vendors accept. */
const LONGEST = 64;
const SUFFIX = 8;

/**
 * Action ids have only lower-case letters, digits and dots, so writing each dot as an underscore can be undone. An id
 * that is too long is cut and ends with a piece of its hash; the table leads back.
 */
function toolNameOf(actionId: string, hasher: Hasher): string {
  const name = actionId.replaceAll('.', '_');
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST - SUFFIX - 1)}_${hasher.hex(actionId).slice(0, SUFFIX)}`;
}

export interface ToolNames {
  readonly nameOf: ReadonlyMap<string, string>;
  readonly actionOf: ReadonlyMap<string, string>;
}

/** Throws if two ids share a name, which takes a hash collision. */
export function toolNames(actionIds: Iterable<string>, hasher: Hasher): ToolNames {
  const nameOf = new Map<string, string>();
  const actionOf = new Map<string, string>();
  for (const actionId of actionIds) {
    const name = toolNameOf(actionId, hasher);
    const other = actionOf.get(name);
    if (other !== undefined && other !== actionId)
      throw new Error(`${actionId} and ${other} share the name ${name}`);
    nameOf.set(actionId, name);
    actionOf.set(name, actionId);
  }
  return { nameOf, actionOf };
}
