/** From a tool call to what the starter Atlas decides, as a hook does it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import type { Place } from '../../../../slices/agents/clients/paths.ts';
import { toolSteps } from '../../../../slices/agents/clients/tool-steps.ts';
import { requireAtlas } from '../../../../slices/governance/atlases/files/read.ts';
import { compilePolicies } from '../../../../slices/governance/policies/rules/compile.ts';
import { decide } from '../../../../slices/governance/policies/rules/decide.ts';
import { starterAtlas } from '../starter-atlas.ts';

export const place: Place = {
  cwd: '/home/ada/shop',
  root: '/home/ada/shop',
  home: '/home/ada',
  data: '/home/ada/.baton',
  temporary: '/tmp',
  platform: 'linux',
};
const rules = await compiledStarter();

async function compiledStarter(): Promise<ReturnType<typeof compilePolicies>> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-starter-'));
  try {
    for (const [path, text] of starterAtlas('shop')) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const atlas = await requireAtlas(folder, { hasher: nodeHasher });
    return compilePolicies([{ atlas, mode: 'enforce' }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The strictest decision on any step of the call. */
export function decidedOn(tool: string, input: Record<string, unknown>, at: Place): string {
  const effects = toolSteps({ tool, input }, at).map(({ action, parameters }) => {
    const asked = { agentId: 'claude-code', riskTier: undefined, context: {}, scopes: new Set<string>() };
    return decide(rules.action(action)!, { ...asked, now: 0, parameters }).effect;
  });
  return ['deny', 'require_approval'].find((effect) => effects.some((each) => each === effect)) ?? 'allow';
}

export function decidedIn(command: string, at: Place): string {
  return decidedOn('Bash', { command }, at);
}
