import { globMatcher } from '../../../kernel/glob.ts';
import type { Action, AtlasManifest } from '../atlases/schema.ts';
import { DEFAULT_ATLAS_ID, type GatewayConfig } from './config.ts';
import type { ToolAction } from './tool-actions.ts';

/** Executors of the gateway are called so, followed by the name of the server. */
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
