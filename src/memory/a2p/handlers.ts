import type { Principal } from '../../identity/principal.ts';
import { toPlain } from '../../kernel/json/plain.ts';
import type { Handlers } from '../../operations/handler.ts';
import type { Reader } from '../../storage/database.ts';
import { memoryErrors } from '../errors.ts';
import { type Did, requireDid } from '../rules/did.ts';
import { objectMember } from '../rules/json-members.ts';
import { arrayKeyOf, MEMORY_TYPES, typeOfArrayKey } from '../rules/memory-type.ts';
import { statusesAsked } from '../rules/proposal.ts';
import { flatProposal, nestedProposal } from '../rules/proposal-shape.ts';
import { readPurpose } from '../rules/purpose.ts';
import { sharedCategories } from '../rules/shared-categories.ts';
import { agentDidOf, type Caller, callerOf, requireOwner } from '../service/caller.ts';
import { receiptDocument } from '../service/consent.ts';
import { decideProposal } from '../service/decide-proposal.ts';
import { agentGrant } from '../service/grants.ts';
import type { MemoryService } from '../service/service.ts';
import { type KnownAgent, selectAgent } from '../store/agent-store.ts';
import type { Profile } from '../store/profile-store.ts';
import { agentProfile, didDocument } from './agent-documents.ts';
import type { a2pOperations } from './operations.ts';

const VERSION = { 'a2p-version': '0.1' } as const;
const PAGE = 50;

interface Entered {
  readonly profile: Profile;
  readonly caller: Caller;
  readonly did: Did;
}

export function createA2pHandlers(service: MemoryService): Handlers<typeof a2pOperations> {
  const { deps, consent, profiles, proposals, reading } = service;
  const { db, clock, settings = {} } = deps;
  const lenient = settings.lenient ? { lenient: true } : {};

  /** A DID that nobody has goes the same way, by the same queries, to the same answer as one that shares nothing. */
  async function enter(reader: Reader, principal: Principal, text: string): Promise<Entered> {
    const did = requireDid(text, '/did', lenient);
    const profile = await profiles.visible(reader, principal, did.base);
    if (profile) return { profile, caller: callerOf(principal, profile), did };
    await agentGrant(reader, did.base, agentDidOf(principal.actor), clock.now());
    throw settings.lenient ? memoryErrors.A2P003() : memoryErrors.A2P004();
  }

  return {
    'a2p.profile.get': async ({ input: { path, query }, principal, requestId }) => {
      const { profile, caller, did } = await db.read((reader) => enter(reader, principal, path.did));
      const found = await reading.read(profile, caller, {
        limit: 200,
        requestId,
        ...(query.scopes && { scopes: query.scopes }),
        ...(did.subProfile !== undefined && { context: did.subProfile }),
      });
      const { document, grant } = await db.read(async (reader) => ({
        document: await profiles.document(reader, profile),
        grant:
          caller.role === 'owner'
            ? ('all' as const)
            : (await agentGrant(reader, profile.did, caller.did, clock.now())).grant,
      }));
      const memories: Record<string, unknown> = sharedCategories(objectMember(document, 'memories'), grant);
      for (const type of MEMORY_TYPES) {
        const own = found.filter(({ memory }) => memory.item.class.type === type);
        if (own.length > 0) memories[arrayKeyOf(type)] = own.map((each) => toPlain(each.document));
      }
      const body = {
        id: profile.did,
        version: '0.1.0',
        profileType: profile.profileType,
        identity: { did: profile.did },
        memories,
      };
      return { body, headers: VERSION };
    },

    'a2p.access.request': async (uow, { input: { path, body }, principal }) => {
      const { profile, caller } = await enter(uow, principal, path.did);
      const purpose = readPurpose(body.purpose as Parameters<typeof readPurpose>[0]);
      const receipt = await consent.request(uow, profile, caller, { scopes: body.scopes, purpose });
      return { body: receiptDocument(receipt, []), headers: VERSION };
    },

    'a2p.memories.list': async ({ input: { path, query }, principal, requestId }) => {
      const { profile, caller, did } = await db.read((reader) => enter(reader, principal, path.did));
      const type = query.type === undefined ? undefined : typeAsked(query.type);
      const found = await reading.read(profile, caller, {
        limit: query.limit ?? PAGE,
        offset: query.offset ?? 0,
        requestId,
        query: query.query === '' ? undefined : query.query,
        scopes: query.scopes,
        session: query.session_id,
        ...(type !== undefined && { types: [type] }),
        ...(query.category !== undefined && { categories: [query.category] }),
        ...(did.subProfile !== undefined && { context: did.subProfile }),
      });
      return {
        body: found.map(({ memory, document }) => ({
          type: memory.item.class.type,
          memory: toPlain(document),
        })),
        headers: VERSION,
      };
    },

    'a2p.propose': async (uow, { input: { path, body }, principal, requestId }) => {
      const { profile, caller } = await enter(uow, principal, path.did);
      const row = await proposals.propose(uow, profile, caller, body, { requestId });
      return {
        body: { proposalId: row.proposal_id, status: row.status, expiresAt: row.expires_at },
        headers: VERSION,
      };
    },

    'a2p.proposals.list': async (reader, { input: { path, query }, principal }) => {
      const { profile, caller } = await enter(reader, principal, path.did);
      if (caller.role === 'agent') await requireSomeGrant(reader, profile, caller);
      const { limit = PAGE, offset = 0 } = query;
      const found = await proposals.list(reader, profile, caller, {
        statuses: statusesAsked(query.status),
        limit,
        offset,
      });
      return { body: found.map(query.shape === 'schema' ? nestedProposal : flatProposal), headers: VERSION };
    },

    'a2p.proposals.review': async (uow, { input: { path, body }, principal }) => {
      const { profile, caller } = await enter(uow, principal, path.did);
      if (caller.role === 'agent') await requireSomeGrant(uow, profile, caller);
      requireOwner(caller);
      const edits = { content: body.editedContent, category: body.editedCategory };
      const row = await decideProposal(deps, uow, profile, principal, path.id, {
        action: body.action,
        reason: body.reason,
        edits,
      });
      return {
        body: {
          proposalId: row.proposal_id,
          status: row.status,
          ...(row.created_memory_id !== null && { memoryId: row.created_memory_id }),
        },
        headers: VERSION,
      };
    },

    'a2p.proposals.withdraw': async (uow, { input: { path }, principal }) => {
      const { profile, caller } = await enter(uow, principal, path.did);
      if (caller.role === 'agent') await requireSomeGrant(uow, profile, caller);
      const row = await proposals.withdraw(uow, profile, caller, path.id);
      return { body: { proposalId: row.proposal_id, status: row.status }, headers: VERSION };
    },

    'a2p.agent.get': async (reader, { input: { path } }) => ({
      body: agentProfile(await registered(reader, path.did)),
      headers: VERSION,
    }),

    'a2p.did.get': async (reader, { input: { path } }) => ({
      body: didDocument(await registered(reader, path.did)),
      headers: VERSION,
    }),

    'a2p.discover': async () => ({
      body: {
        protocol: 'a2p',
        protocolVersion: '0.1.0',
        endpoint: '/a2p/v1',
        authentication: ['A2P-Signature', 'Bearer'],
        memoryTypes: [...MEMORY_TYPES],
      },
      headers: VERSION,
    }),
  };

  async function registered(reader: Reader, text: string): Promise<KnownAgent> {
    const did = requireDid(text, '/did', lenient);
    const agent = await selectAgent(reader, did.text);
    if (!agent) throw memoryErrors.A2P003({ message: 'No agent of this DID is registered.' });
    return agent;
  }

  /** An agent without any consent must not learn that there is a profile. */
  async function requireSomeGrant(reader: Reader, profile: Profile, caller: Caller): Promise<void> {
    const { grant } = await agentGrant(reader, profile.did, caller.did, clock.now());
    if (grant.permissions.size === 0) throw memoryErrors.A2P004();
  }
}

function typeAsked(text: string): string {
  const type = typeOfArrayKey(text) ?? text;
  if (!MEMORY_TYPES.includes(type as (typeof MEMORY_TYPES)[number]))
    throw memoryErrors.A2P023({ pointer: '/type' });
  return type;
}
