/** The decision where no store can be reached: by the repository's own rules, if they are those that were loaded. */
import { join } from 'node:path';
import type { ProjectFile } from '../../faces/cli/connect/binding.ts';
import { nodeHasher } from '../../platform/node-hasher.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { clientNamed } from '../../slices/agents/clients/clients.ts';
import type { HookAnswer, Reply } from '../../slices/agents/clients/event.ts';
import { toolSteps } from '../../slices/agents/clients/tool-steps.ts';
import { requireAtlas } from '../../slices/governance/atlases/files/read.ts';
import { compilePolicies } from '../../slices/governance/policies/rules/compile.ts';
import { decide } from '../../slices/governance/policies/rules/decide.ts';
import { denialReason } from '../../slices/governance/resolution/rules/resolve.ts';
import { roles } from '../../spine/identity/roles.ts';
import type { HookConnection } from './connection.ts';
import type { HookRequest } from './request.ts';

const SILENCE: HookAnswer = { exit_code: 0 };

/** For a call that Baton failed over, where the rules of the repository cannot be applied either: a person decides, or nobody. */
export function closedAnswer(
  clientName: string,
  { atlas: pinned }: HookConnection,
  { message, headless }: HookRequest,
): HookAnswer {
  const client = clientNamed(clientName);
  const read = client?.read(message);
  if (!client || read?.event.kind !== 'before' || pinned?.mode !== 'enforce') return SILENCE;
  const asks = client.asks && !headless && !read.headless;
  const reason =
    'Baton could not judge this call, and .baton/atlas is not the Atlas that was loaded. `hooks.log` in the data directory says why.';
  return client.answer(message, { kind: asks ? 'ask' : 'deny', reason });
}

export async function localAnswer(
  clientName: string,
  connection: HookConnection,
  repository: ProjectFile,
  { message, place }: HookRequest,
): Promise<HookAnswer> {
  const { atlas: pinned } = connection;
  const client = clientNamed(clientName);
  const event = client?.read(message)?.event;
  if (!client || event?.kind !== 'before' || pinned?.mode !== 'enforce') return SILENCE;
  const atlas = await requireAtlas(join(repository.root, '.baton', 'atlas'), { hasher: nodeHasher });
  if (atlas.digest !== pinned.digest) throw new Error('.baton/atlas is not what was loaded');
  const set = compilePolicies([{ atlas, mode: 'enforce' }]);
  const scopes = new Set<string>(roles.agent);
  const now = systemClock.now();
  let reply: Reply = { kind: 'silence' };
  // When the session began is not known here, so neither is which scripts are its own.
  for (const { action, parameters } of toolSteps(event.call, { ...place, scripts: undefined })) {
    const compiled = set.action(action);
    if (!compiled) continue;
    const verdict = decide(compiled, {
      agentId: clientName,
      riskTier: undefined,
      context: {},
      scopes,
      now,
      parameters,
    });
    const rule = `rule ${verdict.policyId} in .baton/atlas`;
    if (verdict.effect === 'deny') {
      return client.answer(message, {
        kind: 'deny',
        reason: `Denied by policy. ${denialReason(verdict)} (${rule}).`,
      });
    }
    if (verdict.effect === 'require_approval') {
      reply = {
        kind: 'deny',
        reason: `A person must agree first (${rule}), and Baton cannot be reached to ask one. This is not a refusal: repeat the same call later.`,
      };
    }
  }
  return client.answer(message, reply);
}
