import { globMatcher } from '../../../kernel/glob.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { canonicalJcs } from '../../../kernel/json/canonical/jcs.ts';
import { fromPlain } from '../../../kernel/json/plain.ts';
import type { Action, AtlasManifest, Policy } from '../atlases/schema.ts';
import { GATEWAY_EXECUTOR } from '../execution/executors.ts';
import { schemaProblem } from '../execution/parameter-check.ts';
import type { GatewayConfig } from './config.ts';

/** A tool exactly as its server lists it. */
export interface UpstreamTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly idempotentHint?: boolean; readonly readOnlyHint?: boolean };
}

export interface ListedTool {
  readonly server: string;
  readonly tool: UpstreamTool;
}

/** Of everything that the server says about a tool: whatever an agent is shown, somebody has accepted. */
export function toolDigest(tool: UpstreamTool, hasher: Hasher): string {
  return hasher.hex(canonicalJcs(fromPlain(tool)));
}

/** The tool that an action of a gateway's Atlas runs, pinned by its digest. */
export interface PinnedTool {
  readonly server: string;
  readonly digest: string;
}

function executorOf(server: string, digest: string): string {
  return `${GATEWAY_EXECUTOR}${server}#${digest}`;
}

/** Undefined for an action that is not a tool. */
export function pinnedToolOf({ executor }: Pick<Action, 'executor'>): PinnedTool | undefined {
  const match = /^mcp:([a-z][a-z0-9]*)#([0-9a-f]{64})$/.exec(executor ?? '');
  return match ? { server: match[1] as string, digest: match[2] as string } : undefined;
}

/** What a server offers beside its tools, as actions that policies may name. They pass unless a policy says otherwise. */
export const PASSING = { read: 'resources.read', prompt: 'prompts.get' } as const;
export const PASSING_POLICY = 'gateway-passes';

export function passingAction(server: string, kind: keyof typeof PASSING): string {
  return `${server}.${PASSING[kind]}`;
}

function passingActions(server: string): Action[] {
  const executor = `${GATEWAY_EXECUTOR}${server}`;
  return [
    {
      action_id: passingAction(server, 'read'),
      name: 'resources/read',
      description: `Reads a resource of ${server}`,
      idempotent: true,
      executor,
    },
    {
      action_id: passingAction(server, 'prompt'),
      name: 'prompts/get',
      description: `Gets a prompt of ${server}`,
      idempotent: true,
      executor,
    },
  ];
}

export interface ToolChange {
  readonly server: string;
  readonly tool: UpstreamTool;
  /** The action as it is accepted; undefined for a tool that nobody has seen before. */
  readonly was: Action | undefined;
  readonly now: Action;
}

/** What the servers list that the accepted actions do not say. A tool that is not listed keeps its pin: it cannot return changed. */
export function toolChanges(
  config: GatewayConfig,
  accepted: readonly Action[],
  listed: readonly ListedTool[],
  hasher: Hasher,
): ToolChange[] {
  const taken = new Set([
    ...accepted.map(({ action_id }) => action_id),
    ...Object.keys(config.servers).flatMap((server) => passingActions(server).map((each) => each.action_id)),
  ]);
  const changes: ToolChange[] = [];
  for (const { server, tool } of listed) {
    const digest = toolDigest(tool, hasher);
    const was = accepted.find(
      (action) => action.name === tool.name && pinnedToolOf(action)?.server === server,
    );
    if (was && pinnedToolOf(was)?.digest === digest) continue;
    const actionId = was?.action_id ?? freeId(server, tool.name, taken, hasher);
    taken.add(actionId);
    changes.push({ server, tool, was, now: actionOf(config, server, tool, actionId, digest) });
  }
  return changes;
}

/**
 * `read_file` of server `fs` is the action `fs.read.file`. A name that is taken, or loses characters, gets a piece of its
 * hash, so that each action leads back to one tool.
 */
function freeId(server: string, name: string, taken: ReadonlySet<string>, hasher: Hasher): string {
  const plain = actionIdOf(server, name);
  if (!taken.has(plain) && /^[A-Za-z0-9_.-]+$/.test(name)) return plain;
  return `${plain}.h${hasher.hex(`${server}\n${name}`).slice(0, 8)}`;
}

function actionIdOf(server: string, name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1.$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (/^[a-z]/.test(word) ? word : `x${word}`));
  return [server, ...(words.length > 0 ? words : ['tool'])].join('.');
}

function actionOf(
  config: GatewayConfig,
  server: string,
  tool: UpstreamTool,
  actionId: string,
  digest: string,
): Action {
  const { idempotentHint, readOnlyHint } = tool.annotations ?? {};
  return withTier(config, {
    action_id: actionId,
    name: tool.name,
    description: tool.description ?? tool.name,
    // One schema that cannot be checked in linear time must not take all tools away; its server checks it anyway.
    parameters_schema: schemaProblem(tool.inputSchema) === undefined ? { ...tool.inputSchema } : {},
    idempotent: readOnlyHint === true || idempotentHint === true,
    executor: executorOf(server, digest),
  });
}

function withTier(config: GatewayConfig, { risk_tier: _, ...action }: Action): Action {
  const tier = Object.entries(config.risk_tiers ?? {}).find(([glob]) => globMatcher(glob)(action.action_id));
  return tier ? { ...action, risk_tier: tier[1] } : action;
}

/** The Atlas of a gateway: the policies of its file over the tools that are accepted. */
export function gatewayManifest(
  config: GatewayConfig,
  identity: { readonly atlasId: string; readonly version: string },
  tools: readonly Action[],
): AtlasManifest {
  const servers = Object.keys(config.servers);
  const passing = servers.flatMap(passingActions).map((action) => withTier(config, action));
  const own: Policy = {
    policy_id: PASSING_POLICY,
    type: 'allow',
    description: 'Resources and prompts pass unless another policy says otherwise.',
    actions: passing.map(({ action_id }) => action_id),
  };
  return {
    atlas_version: '1.0',
    atlas_id: identity.atlasId,
    version: identity.version,
    name: 'MCP gateway',
    description: `Tools of ${servers.join(', ')}`.slice(0, 1000),
    policies: passing.length > 0 ? [...config.policies, own] : config.policies,
    actions: [
      ...tools
        .filter((action) => servers.includes(pinnedToolOf(action)?.server ?? ''))
        .map((action) => withTier(config, action)),
      ...passing,
    ],
  };
}

/** The accepted tools with these changes among them, in the order in which they were first seen. */
export function withChanges(accepted: readonly Action[], changes: readonly ToolChange[]): Action[] {
  const tools = accepted.filter((action) => pinnedToolOf(action) !== undefined);
  return [
    ...tools.map((action) => changes.find(({ was }) => was === action)?.now ?? action),
    ...changes.filter(({ was }) => was === undefined).map(({ now }) => now),
  ];
}

/** The next version of an Atlas whose content has changed. */
export function nextVersion(loaded: string | undefined): string {
  const patch = /^1\.0\.(\d+)$/.exec(loaded ?? '')?.[1];
  return patch === undefined ? '1.0.0' : `1.0.${Number(patch) + 1}`;
}
