import { toPlain } from '../../../kernel/json/plain.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireOwner } from '../caller.ts';
import { receiptDocument } from '../consent/access.ts';
import { agentGrant } from '../consent/grants.ts';
import { readPurpose } from '../consent/rules/purpose.ts';
import { type Did, requireDid } from '../did.ts';
import { objectMember } from '../documents.ts';
import { memoryErrors } from '../errors.ts';
import { arrayKeyOf, isMemoryType, MEMORY_TYPES, typeOfArrayKey } from '../memory-type.ts';
import { createEntrance, type Entered } from '../profile-access.ts';
import { decideProposal } from '../proposals/review.ts';
import { statusesAsked } from '../proposals/rules.ts';
import { flatProposal, nestedProposal, readProposed } from '../proposals/shape.ts';
import { type KnownAgent, selectAgent } from '../registry/store.ts';
import type { MemoryService } from '../slice.ts';
import { agentProfile, didDocument } from './documents.ts';
import { createMetered, VERSION } from './metered.ts';
import { createMeteredWrite } from './metered-write.ts';
import type { a2pOperations } from './operations.ts';
import { sharedCategories } from './shared-categories.ts';

const PAGE = 50;

/**
 * What is wrong with a request is said before the profile is looked for: otherwise the fault that is found would tell
 * whether there is a profile.
 */
export function createA2pHandlers(service: MemoryService): Handlers<typeof a2pOperations> {
  const { deps, consent, profiles, proposals, rates, reading } = service;
  const { db, clock, settings = {} } = deps;
  const { enterNamed } = createEntrance(service);
  const metered = createMetered(rates);
  const changed = createMeteredWrite(deps, metered);
  const did = (text: string) => requireDid(text, '/did', settings.lenient ? { lenient: true } : {});

  async function enter(reader: Reader, principal: Principal, to: Did): Promise<Entered> {
    if (settings.lenient && !(await profiles.visible(reader, principal, to.base)))
      throw memoryErrors.A2P003();
    return enterNamed(reader, principal, to.base);
  }

  return {
    'a2p.profile.get': metered('read', async ({ input: { path, query }, principal, requestId }) => {
      const to = did(path.did);
      const { profile, caller } = await db.read((reader) => enter(reader, principal, to));
      const found = await reading.read(profile, caller, {
        limit: 200,
        requestId,
        ...(query.scopes && { scopes: query.scopes }),
        ...(to.subProfile !== undefined && { context: to.subProfile }),
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
      return { body };
    }),

    'a2p.access.request': changed('a2p.access.request', 'consent', ({ input: { path, body }, principal }) => {
      const to = did(path.did);
      const purpose = readPurpose(body.purpose as Parameters<typeof readPurpose>[0]);
      return async (uow) => {
        const { profile, caller } = await enter(uow, principal, to);
        const receipt = await consent.request(uow, profile, caller, { scopes: body.scopes, purpose });
        return receiptDocument(receipt, []);
      };
    }),

    'a2p.memories.list': metered('read', async ({ input: { path, query }, principal, requestId }) => {
      const to = did(path.did);
      const type = query.type === undefined ? undefined : typeAsked(query.type);
      const { profile, caller } = await db.read((reader) => enter(reader, principal, to));
      const found = await reading.read(profile, caller, {
        limit: query.limit ?? PAGE,
        offset: query.offset ?? 0,
        requestId,
        query: query.query === '' ? undefined : query.query,
        scopes: query.scopes,
        session: query.session_id,
        ...(type !== undefined && { types: [type] }),
        ...(query.category !== undefined && { categories: [query.category] }),
        ...(to.subProfile !== undefined && { context: to.subProfile }),
      });
      return {
        body: found.map(({ memory, document }) => ({
          type: memory.item.class.type,
          memory: toPlain(document),
        })),
      };
    }),

    'a2p.propose': changed('a2p.propose', undefined, ({ input: { path, body }, principal, requestId }) => {
      const to = did(path.did);
      const proposed = readProposed(body);
      return async (uow) => {
        const { profile, caller } = await enter(uow, principal, to);
        const row = await proposals.propose(uow, profile, caller, proposed, { requestId });
        return { proposalId: row.proposal_id, status: row.status, expiresAt: row.expires_at };
      };
    }),

    'a2p.proposals.list': metered(undefined, async ({ input: { path, query }, principal }) => {
      const to = did(path.did);
      const { limit = PAGE, offset = 0 } = query;
      const statuses = statusesAsked(query.status);
      const found = await db.read(async (reader) => {
        const { profile, caller } = await enter(reader, principal, to);
        return proposals.list(reader, profile, caller, { statuses, limit, offset });
      });
      return { body: found.map(query.shape === 'schema' ? nestedProposal : flatProposal) };
    }),

    'a2p.proposals.review': changed(
      'a2p.proposals.review',
      'write',
      ({ input: { path, body }, principal }) => {
        const to = did(path.did);
        const { action, reason, editedContent: content, editedCategory: category } = body;
        return async (uow) => {
          const { profile, caller } = await enter(uow, principal, to);
          requireOwner(caller);
          const said = { action, reason, edits: { content, category } };
          const row = await decideProposal(deps, uow, profile, principal, path.id, said);
          return {
            proposalId: row.proposal_id,
            status: row.status,
            ...(row.created_memory_id !== null && { memoryId: row.created_memory_id }),
          };
        };
      },
    ),

    'a2p.proposals.withdraw': changed('a2p.proposals.withdraw', 'write', ({ input: { path }, principal }) => {
      const to = did(path.did);
      return async (uow) => {
        const { profile, caller } = await enter(uow, principal, to);
        const row = await proposals.withdraw(uow, profile, caller, path.id);
        return { proposalId: row.proposal_id, status: row.status };
      };
    }),

    'a2p.agent.get': metered(undefined, async ({ input: { path } }) => ({
      body: agentProfile(await registered(did(path.did)), clock.now()),
    })),

    'a2p.did.get': metered(undefined, async ({ input: { path } }) => ({
      body: didDocument(await registered(did(path.did)), clock.now()),
    })),

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

  async function registered({ text }: Did): Promise<KnownAgent> {
    const agent = await db.read((reader) => selectAgent(reader, text));
    if (!agent) throw memoryErrors.A2P003({ message: 'No agent of this DID is registered.' });
    return agent;
  }
}

function typeAsked(text: string): string {
  const type = typeOfArrayKey(text) ?? text;
  if (!isMemoryType(type)) throw memoryErrors.A2P023({ pointer: '/type' });
  return type;
}
