import { BatonError } from '../../../kernel/error.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { classify } from '../memories/classify.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Caller } from '../profile-access.ts';
import type { Profile } from '../profiles/store.ts';
import { wasProposedBefore } from '../proposals/find.ts';
import { propose } from '../proposals/propose.ts';
import { type NewProposal, readProposal } from '../proposals/shape.ts';
import { type ForeignMemory, readMarkdown, readMem0 } from './rules.ts';

export type ForeignImport =
  | { readonly format: 'mem0'; readonly value: unknown }
  | { readonly format: 'markdown'; readonly files: readonly { name: string; text: string }[] };

/** Each memory of another system becomes a proposal, since nobody here has approved it. */
export async function importForeign(
  uow: UnitOfWork,
  deps: MemoryDeps,
  profile: Profile,
  actor: Actor,
  source: ForeignImport,
): Promise<{ readonly did: string; readonly proposed: number; readonly skipped: number }> {
  const found =
    source.format === 'mem0'
      ? readMem0(source.value)
      : source.files.flatMap(({ name, text }) => readMarkdown(text, name));
  const caller: Caller = { role: 'owner', did: `did:a2p:agent:local:import-${source.format}`, actor };
  let proposed = 0;
  for (const memory of found) {
    const proposal = proposalOf(memory);
    if (!proposal || (await wasProposedBefore(uow, deps, profile, proposal))) continue;
    await propose(uow, deps, profile, caller, proposal);
    proposed += 1;
  }
  return { did: profile.did, proposed, skipped: found.length - proposed };
}

/** Undefined where it cannot be a proposal. Nobody here saw it happen: half confidence, and the type the rules find. */
function proposalOf({ content, context, timestamp, tags }: ForeignMemory): NewProposal | undefined {
  try {
    return readProposal({
      content,
      context,
      memory_type: classify({ content }).type,
      confidence: 0.5,
      ...(tags && { tags }),
      ...(timestamp !== undefined && { evidence: [{ type: 'external', timestamp }] }),
    });
  } catch (error) {
    if (error instanceof BatonError) return undefined;
    throw error;
  }
}
