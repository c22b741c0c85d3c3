import { globMatcher } from '../../../kernel/glob.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { Action, AtlasManifest } from '../atlases/schema.ts';
import { DEFAULT_ATLAS_ID, type GatewayConfig } from './config.ts';

export interface UpstreamTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly idempotentHint?: boolean | undefined } | undefined;
}

export interface ToolAction {
  readonly server: string;
  readonly tool: UpstreamTool;
  readonly actionId: string;
}

/**
 * `read_file` of server `fs` is the action `fs.read.file`. Names that collide, or lose characters, get a piece of their
 * hash, so that each action leads back to one tool.
 */
export function toolActions(
  tools: readonly { readonly server: string; readonly tool: UpstreamTool }[],
  hasher: Hasher,
): ToolAction[] {
  const plain = tools.map(({ server, tool }) => ({ server, tool, actionId: actionIdOf(server, tool.name) }));
  const count = new Map<string, number>();
  for (const { actionId } of plain) count.set(actionId, (count.get(actionId) ?? 0) + 1);
  return plain.map((each) => {
    const { server, tool, actionId } = each;
    const faithful = /^[A-Za-z0-9_.-]+$/.test(tool.name);
    if (count.get(actionId) === 1 && faithful) return each;
    return { server, tool, actionId: `${actionId}.h${hasher.hex(`${server}\n${tool.name}`).slice(0, 8)}` };
  });
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

/** The gateway's executors have this prefix and the name of the server. */
export const EXECUTOR_PREFIX = 'mcp:';

/** The tools as an Atlas: the config's policies over the actions that the servers offer. */
export function gatewayManifest(
  config: GatewayConfig,
  tools: readonly ToolAction[],
  version: string,
): AtlasManifest {
  const tiers = Object.entries(config.risk_tiers ?? {}).map(([glob, tier]) => ({
    matches: globMatcher(glob),
    tier,
  }));
  return {
    atlas_version: '1.0',
    atlas_id: config.atlas_id ?? DEFAULT_ATLAS_ID,
    version,
    name: 'MCP gateway',
    description: `Tools of ${Object.keys(config.servers).join(', ')}`,
    policies: config.policies,
    actions: tools.map(({ server, tool, actionId }): Action => {
      const tier = tiers.find(({ matches }) => matches(actionId))?.tier;
      return {
        action_id: actionId,
        name: tool.name,
        description: tool.description ?? tool.name,
        parameters_schema: { ...tool.inputSchema },
        idempotent: tool.annotations?.idempotentHint ?? false,
        executor: `${EXECUTOR_PREFIX}${server}`,
        ...(tier && { risk_tier: tier }),
      };
    }),
  };
}

/** The next version of an Atlas whose content has changed. */
export function nextVersion(loaded: string | undefined): string {
  const patch = /^1\.0\.(\d+)$/.exec(loaded ?? '')?.[1];
  return patch === undefined ? '1.0.0' : `1.0.${Number(patch) + 1}`;
}
