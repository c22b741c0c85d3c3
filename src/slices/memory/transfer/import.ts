import { BatonError } from '../../../kernel/error.ts';
import { toHex } from '../../../kernel/hex.ts';
import { prefixedId } from '../../../kernel/ids.ts';
import { formatMillis, parseInstant } from '../../../kernel/instant.ts';
import { fromPlain, toPlain } from '../../../kernel/json/plain.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { type Caller, requireClaim } from '../caller.ts';
import { defaultSensitivity } from '../categories.ts';
import type { Consent } from '../consent/access.ts';
import { putPolicy } from '../consent/store.ts';
import { requireDid } from '../did.ts';
import { textMember, withMembers } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import type { Tell } from '../event-recorder.ts';
import { declinedFingerprint, saltedHash } from '../fingerprint.ts';
import { classify } from '../memories/classify.ts';
import type { Memories } from '../memories/keep.ts';
import type { MemoryDeps } from '../ports.ts';
import type { Profiles } from '../profiles/create.ts';
import type { Profile } from '../profiles/store.ts';
import { type Proposals, type ProposalText, storedProposal } from '../proposals/propose.ts';
import { PROPOSAL_STATUSES, type ProposalStatus, statusAt } from '../proposals/rules.ts';
import { nestedProposal, type Proposed, readProposed } from '../proposals/shape.ts';
import { insertProposal, type ProposalRow, selectProposals } from '../proposals/store.ts';
import { putText, selectTexts } from '../text-store.ts';
import { type ForeignMemory, readMarkdown, readMem0 } from './foreign-memories.ts';
import { type ImportedMemory, putTogether, schemaMemory, schemaProfile, takeApart } from './rules.ts';

export interface Imported {
  readonly profile: Profile;
  readonly memories: number;
  readonly proposals: number;
  readonly policies: number;
}

export type ProfileSection = 'memories' | 'proposals' | 'policies';

export type Transfer = ReturnType<typeof createTransfer>;

interface Parts {
  readonly tell: Tell;
  readonly memories: Memories;
  readonly profiles: Profiles;
  readonly proposals: Proposals;
  readonly consent: Consent;
}

export function createTransfer(deps: MemoryDeps, { tell, memories, profiles, proposals, consent }: Parts) {
  const { clock, random, hasher } = deps;

  return {
    /** Everything as it was written; with `schema`, as the published schemas want it. */
    async exportProfile(
      reader: Reader,
      profile: Profile,
      shape: 'written' | 'schema',
      sections?: readonly ProfileSection[],
    ): Promise<JsonObject> {
      const now = clock.now();
      const at = formatMillis(now);
      const wanted = (section: ProfileSection) => sections === undefined || sections.includes(section);
      const all = wanted('memories') ? await memories.list(reader, profile, {}) : [];
      const rows = wanted('proposals')
        ? await selectProposals(reader, profile.did, { now, limit: 100_000 })
        : [];
      const texts = await selectTexts(
        reader,
        profile.did,
        rows.map(({ proposal_id }) => proposal_id),
      );
      const policies = wanted('policies') ? await consent.policies(reader, profile) : [];
      const whole = putTogether({
        skeleton: await profiles.document(reader, profile),
        memories: all.map(({ item, document }) => ({
          type: item.class.type,
          document: shape === 'schema' ? schemaMemory(document, at) : document,
        })),
        proposals: rows.map((row) => exportedProposal(row, texts.get(row.proposal_id)?.body, shape, now)),
        policies: policies.map(({ document }) => readJson(document) as JsonObject),
      });
      return shape === 'schema' ? schemaProfile(whole) : whole;
    },

    async importProfile(uow: UnitOfWork, principal: Principal, document: JsonObject): Promise<Imported> {
      const did = textMember(document, 'id');
      if (did === undefined)
        throw memoryErrors.A2P006({ message: 'A profile has an id, which is a DID.', pointer: '/id' });
      requireDid(did, '/id', { lenient: true });
      requireClaim(principal, did, '/id');
      const parts = takeApart(document);
      const profile = await profiles.insert(
        uow,
        principal.defaultProject,
        principal.actor,
        did,
        parts.skeleton,
      );
      await memories.putAll(uow, profile, withIds(parts.memories));
      for (const [at, policy] of parts.policies.entries()) {
        const id = textMember(policy, 'id') ?? `policy_imported${at}`;
        await putPolicy(uow, did, { policy_id: id, document: writeJson(policy) });
      }
      for (const proposal of parts.proposals) await importProposal(uow, profile, proposal);
      await tell(uow, profile, {
        type: 'memory.profile_imported',
        actor: principal.actor,
        payload: {
          memories: parts.memories.length,
          proposals: parts.proposals.length,
          policies: parts.policies.length,
        },
        webhook: 'profile.updated',
        subject: { type: 'profile', id: did },
      });
      return {
        profile,
        memories: parts.memories.length,
        proposals: parts.proposals.length,
        policies: parts.policies.length,
      };
    },

    /** Memories of another system: each becomes a proposal, since nobody here has approved it. */
    async importForeign(
      uow: UnitOfWork,
      profile: Profile,
      actor: Actor,
      given:
        | { readonly format: 'mem0'; readonly value: unknown }
        | { readonly format: 'markdown'; readonly files: readonly { name: string; text: string }[] },
    ): Promise<{ readonly did: string; readonly proposed: number; readonly skipped: number }> {
      const found: ForeignMemory[] =
        given.format === 'mem0'
          ? readMem0(given.value)
          : given.files.flatMap(({ name, text }) => readMarkdown(text, name));
      const caller: Caller = { role: 'owner', did: `did:a2p:agent:local:import-${given.format}`, actor };
      let proposed = 0;
      for (const memory of found) {
        const asked = readForeign(memory);
        if (!asked || (await proposals.wasAnswered(uow, profile, asked))) continue;
        await proposals.propose(uow, profile, caller, asked);
        proposed += 1;
      }
      return { did: profile.did, proposed, skipped: found.length - proposed };
    },
  };

  /** Ids that a2p would not write, and those that come twice, are given anew. */
  function* withIds(imported: readonly ImportedMemory[]) {
    const seen = new Set<string>();
    for (const { type, document: memory } of imported) {
      const given = textMember(memory, 'id');
      const usable = given !== undefined && /^mem_[a-zA-Z0-9]+$/.test(given) && !seen.has(given);
      const id = usable ? given : memories.newId();
      seen.add(id);
      yield { id, type, document: given === id ? memory : withMembers(memory, { id }) };
    }
  }

  /** Undefined where it cannot be a proposal. Nobody here has seen it happen: half a confidence, by the rules' own type. */
  function readForeign({ content, context, timestamp, tags }: ForeignMemory): Proposed | undefined {
    try {
      return readProposed({
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

  function exportedProposal(
    row: ProposalRow,
    body: string | undefined,
    shape: 'written' | 'schema',
    now: number,
  ): JsonObject {
    const text =
      body === undefined
        ? undefined
        : (JSON.parse(body) as ProposalText & { written?: string; writtenStatus?: string });
    const status = statusAt(row.status, row.expires_us, now);
    if (shape === 'written' && text?.written !== undefined && text.writtenStatus === status)
      return readJson(text.written) as JsonObject;
    return fromPlain(nestedProposal(storedProposal(row, body, now))) as JsonObject;
  }

  /** Kept as it came; what is past its end is expired, also where the end lies before the beginning. */
  async function importProposal(uow: UnitOfWork, profile: Profile, document: JsonObject): Promise<void> {
    const plain = toPlain(document) as Record<string, Record<string, unknown> & string>;
    const now = clock.now();
    const memory = (plain.memory ?? {}) as Record<string, unknown>;
    const content = String(memory.content ?? plain.content ?? '');
    const proposed = parseInstant(String(plain.proposedAt ?? ''))?.micros ?? now;
    const expires = parseInstant(String(plain.expiresAt ?? ''))?.micros ?? proposed + 7 * 86_400_000_000;
    const given = PROPOSAL_STATUSES.includes(plain.status as unknown as ProposalStatus)
      ? (plain.status as unknown as ProposalStatus)
      : 'pending';
    const status = given === 'pending' && expires <= Math.max(now, proposed) ? 'expired' : given;
    const givenId = String(plain.id ?? '');
    const type = plain.memory_type ?? plain.memoryType ?? memory.memory_type;
    const row: ProposalRow = {
      proposal_id: prefixedId('prop', random),
      profile_did: profile.did,
      agent_did: String(
        plain.agentDid ??
          (plain.proposedBy as Record<string, unknown> | undefined)?.agentDid ??
          'did:a2p:agent:local:unknown',
      ),
      kind: 'memory',
      type: type === 'semantic' || type === 'procedural' ? type : 'episodic',
      category:
        typeof (memory.category ?? plain.category) === 'string'
          ? String(memory.category ?? plain.category)
          : null,
      confidence: Number(memory.confidence ?? plain.confidence ?? 0.8),
      target_memory_id: null,
      status,
      proposed_at: formatMillis(proposed),
      proposed_us: proposed,
      expires_at: formatMillis(expires),
      expires_us: expires,
      resolved_at: status === 'pending' || status === 'expired' ? null : formatMillis(now),
      resolved_by: null,
      created_memory_id: null,
      fingerprint: declinedFingerprint(hasher, profile.declinedKey, `${givenId} ${content}`),
      item_id: null,
      automatic: 0,
    };
    await insertProposal(uow, row);
    const text = {
      kind: 'memory',
      content,
      type: row.type,
      typeGiven: type !== undefined,
      confidence: row.confidence,
      ...(typeof plain.context === 'string' && { context: plain.context }),
      evidence: [],
      scope: [],
      tags: [],
      priority: 'normal',
      written: writeJson(document),
      // What the document itself says of its status: an expired one is exported with its end, as it came.
      writtenStatus: status,
    };
    const salt = toHex(random.bytes(16));
    await putText(uow, profile.did, { ref: row.proposal_id, salt, body: JSON.stringify(text) });
    if (status !== 'pending') return;
    await proposals.ask(uow, profile, row, {
      requestedBy: { id: row.agent_did, type: 'agent' },
      contentHash: saltedHash(hasher, salt, content),
      sensitivity: defaultSensitivity(
        row.category ?? undefined,
        await memories.sensitivityRules(uow, profile),
      ),
    });
  }
}
