import type { ListToolsResult } from '@modelcontextprotocol/server';
import { named } from '../../kernel/quoted.ts';
import type { Registry } from '../../spine/dispatch/registry.ts';
import type { Operation } from '../../spine/operations/define.ts';
import { type Action, actionsOf } from './actions.ts';
import { annotationsOf } from './annotations.ts';
import { CORE_TOOLS, type CoreTool, coreActions } from './core-tools.ts';
import { CALL_ACTION, describeAction, FIND_ACTION, listActions, MORE_TOOLS } from './find-action.ts';
import { type Group, groupsOf } from './groups.ts';
import { groupArgument, groupSchema } from './input-schema.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** What a call of a tool comes to: an action with its arguments, a text of our own, or what is wrong with it. */
export type Chosen =
  | { readonly action: Action; readonly input: Arguments; readonly core?: CoreTool }
  | { readonly text: string }
  | { readonly fault: string };

/** `core`: the tools for every day, the rest by `find_action`. `all`: every group as a tool, as well. */
export type Listing = 'core' | 'all';

export interface Tools {
  list(listing: Listing): ListToolsResult;
  /** Undefined where no tool has the name. Groups are tools under their names whether they are listed or not. */
  choose(tool: string, args: Arguments): Chosen | undefined;
}

const tables = new WeakMap<Registry, Tools>();

/** Of a registry, described once in the life of the process. */
export function toolsOf(registry: Registry): Tools {
  let tools = tables.get(registry);
  if (!tools) {
    tools = describeTools([...registry.values()].map(({ operation }) => operation));
    tables.set(registry, tools);
  }
  return tools;
}

export function describeTools(operations: Iterable<Operation>): Tools {
  const actions = actionsOf(operations);
  const groups = groupsOf(actions);
  const core = new Map(CORE_TOOLS.map((tool) => [tool.name, { tool, actions: coreActions(tool, actions) }]));

  function chooseMore(tool: string, args: Arguments): Chosen | undefined {
    const { action: id, words } = args;
    if (tool === FIND_ACTION && id === undefined) {
      return { text: listActions(groups, typeof words === 'string' ? words : '') };
    }
    const action = actions.get(String(id));
    if (!action) return { fault: unknownAction(String(id), [...actions.keys()]) };
    if (tool === FIND_ACTION) return { text: describeAction(action) };
    const input = args.arguments ?? {};
    if (typeof input !== 'object' || Array.isArray(input)) {
      return { fault: `arguments must be an object. ${describing(action)}` };
    }
    return checked(action, input as Arguments);
  }

  return {
    list(listing) {
      const listed = [...core.values()].map(({ tool, actions: own }) => listedCore(tool, own));
      const others = [...groups.values()].filter(({ name }) => !core.has(name)).map(listedGroup);
      const tools = [...listed, ...MORE_TOOLS, ...(listing === 'all' ? others : [])];
      return { tools } as unknown as ListToolsResult;
    },
    choose(name, args) {
      if (name === FIND_ACTION || name === CALL_ACTION) return chooseMore(name, args);
      const everyday = core.get(name);
      const group = groups.get(name);
      if (everyday && everyday.actions.size === 1 && !(group && args.action !== undefined)) {
        const [action] = everyday.actions.values();
        return { ...checked(action as Action, args), core: everyday.tool };
      }
      if (!group) return undefined;
      const { action: chosen, ...rest } = args;
      const action = group.actions.get(String(chosen));
      if (!action) return { fault: unknownAction(String(chosen ?? ''), [...group.actions.keys()]) };
      const renamed = Object.entries(rest).map(([key, value]) => [
        key === groupArgument(action, 'action') && action.fields.has('action') ? 'action' : key,
        value,
      ]);
      const made = checked(action, Object.fromEntries(renamed));
      return everyday ? { ...made, core: everyday.tool } : made;
    },
  };
}

function checked(action: Action, input: Arguments): Chosen {
  const unknown = action.open ? [] : Object.keys(input).filter((name) => !action.fields.has(name));
  if (unknown.length === 0) return { action, input };
  const takes = [...action.fields.keys()].join(', ') || 'no arguments';
  return {
    fault: `${action.id} does not take ${unknown.map((name) => named(name)).join(', ')}. It takes: ${takes}.`,
  };
}

function unknownAction(given: string, known: readonly string[]): string {
  const what =
    given === '' || given === 'undefined' ? 'Name an action' : `There is no action ${named(given)}`;
  return `${what}. Use one of: ${known.join(', ')}. ${FIND_ACTION} says what each does.`;
}

export function describing({ id }: Action): string {
  return `${FIND_ACTION} with action ${id} shows what it takes.`;
}

function listedCore(tool: CoreTool, actions: ReadonlyMap<string, Action>) {
  const { name, title, description, shown, required, output } = tool;
  const choice = actions.size > 1 ? { action: { enum: [...actions.keys()] } } : {};
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...choice, ...shown },
      ...(required.length > 0 && { required }),
    },
    ...(output && { outputSchema: output }),
    annotations: annotationsOf([...actions.values()].map(({ operation }) => operation)),
  };
}

function listedGroup(group: Group) {
  const { name, purpose, actions } = group;
  const lines = [...actions].map(([action, { operation }]) => `- ${action}: ${operation.summary}`);
  return {
    name,
    title: name.charAt(0).toUpperCase() + name.slice(1),
    description: `${purpose}\nActions:\n${lines.join('\n')}`,
    inputSchema: groupSchema(group),
    annotations: annotationsOf([...actions.values()].map(({ operation }) => operation)),
  };
}
