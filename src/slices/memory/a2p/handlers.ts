import { asString } from '../../../kernel/json/loose.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { isMemoryType, MEMORY_TYPES, type MemoryType, typeOfArrayKey } from '../categories.ts';
import { receiptDocument, requestAccess } from '../consent/access.ts';
import { readPurpose } from '../consent/rules/purpose.ts';
import { type Did, requireDid } from '../did.ts';
import { memoryErrors } from '../errors.ts';
import { readMemories } from '../memories/read.ts';
import type { MemoryDeps } from '../ports.ts';
import { type AccessedProfile, accessProfile, requireOwner, visibleProfile } from '../profile-access.ts';
import { listProposals } from '../proposals/find.ts';

import { propose } from '../proposals/propose.ts';
import { reviewProposal, withdrawProposal } from '../proposals/review.ts';
import { statusesOf } from '../proposals/rules.ts';
import { flatProposal, nestedProposal, proposedBy, readProposal } from '../proposals/shape.ts';
import { type KnownAgent, selectAgent } from '../registry/store.ts';
import { agentProfile, didDocument, sharedProfile } from './documents.ts';
import type { a2pOperations } from './operations.ts';

const PAGE = 50;

/**
 * Faults in a request are reported before the profile is looked up: otherwise the error would reveal whether there is
 * one.
 */
export function createA2pHandlers(deps: MemoryDeps): Handlers<typeof a2pOperations> {
  const { db, clock } = deps;
  const lenient = deps.settings?.lenient === true;
  const readDid = (text: string) => requireDid(text, '/did', { lenient });

  async function access(
    reader: Reader,
    principal: Principal,
    { base }: Did,
    agentDid?: string,
  ): Promise<AccessedProfile> {
    if (lenient && !(await visibleProfile(reader, principal, base))) throw memoryErrors.A2P003();
    return accessProfile(reader, deps, principal, base, agentDid);
  }

  async function registered(reader: Reader, { text }: Did): Promise<KnownAgent> {
    const agent = await selectAgent(reader, text);
    if (!agent) throw memoryErrors.A2P003({ message: 'No agent with this DID is registered.' });
    return agent;
  }

  return {
    'a2p.profile.get': async ({ input: { path, query }, principal, requestId }) => {
      const did = readDid(path.did);
      const accessed = await db.read((reader) => access(reader, principal, did));
      const found = await readMemories(deps, accessed.profile, accessed.caller, {
        limit: 200,
        requestId,
        scopes: query.scopes,
        context: did.subProfile,
      });
      return { body: await db.read((reader) => sharedProfile(reader, deps, accessed, found)) };
    },

    'a2p.access.request': async (uow, { input: { path, body }, principal }) => {
      const did = readDid(path.did);
      const purpose = readPurpose(body.purpose as Parameters<typeof readPurpose>[0]);
      const { profile, caller } = await access(uow, principal, did, asString(body.agentDid));
      const request = { scopes: body.scopes, purpose };
      return { body: receiptDocument(await requestAccess(uow, deps, profile, caller, request), []) };
    },

    'a2p.memories.list': async ({ input: { path, query }, principal, requestId }) => {
      const did = readDid(path.did);
      const types = query.type === undefined ? undefined : [readType(query.type)];
      const { profile, caller } = await db.read((reader) => access(reader, principal, did));
      const found = await readMemories(deps, profile, caller, {
        limit: query.limit ?? PAGE,
        offset: query.offset ?? 0,
        requestId,
        query: query.query === '' ? undefined : query.query,
        scopes: query.scopes,
        session: query.session_id,
        types,
        categories: query.category === undefined ? undefined : [query.category],
        context: did.subProfile,
      });
      const memories = found.map(({ memory, document }) => ({
        type: memory.item.class.type,
        memory: toPlain(document),
      }));
      return { body: memories };
    },

    'a2p.propose': async (uow, { input: { path, body }, principal, requestId }) => {
      const did = readDid(path.did);
      const proposed = readProposal(body);
      const { profile, caller } = await access(uow, principal, did, proposedBy(body));
      const row = await propose(uow, deps, profile, caller, proposed, { requestId });
      return { body: { proposalId: row.proposal_id, status: row.status, expiresAt: row.expires_at } };
    },

    'a2p.proposals.list': async (reader, { input: { path, query }, principal }) => {
      const did = readDid(path.did);
      const { limit = PAGE, offset = 0 } = query;
      const filter = { statuses: statusesOf(query.status), limit, offset };
      const { profile, caller } = await access(reader, principal, did);
      const found = await listProposals(reader, deps, profile, caller, filter);
      return { body: found.map(query.shape === 'schema' ? nestedProposal : flatProposal) };
    },

    'a2p.proposals.review': async (uow, { input: { path, body }, principal }) => {
      const did = readDid(path.did);
      const { action, reason, editedContent: content, editedCategory: category } = body;
      const { profile, caller } = await access(uow, principal, did);
      requireOwner(caller);
      const review = { action, reason, edits: { content, category } };
      const row = await reviewProposal(uow, deps, profile, principal, path.id, review);
      const memoryId = row.created_memory_id;
      return {
        body: { proposalId: row.proposal_id, status: row.status, ...(memoryId !== null && { memoryId }) },
      };
    },

    'a2p.proposals.withdraw': async (uow, { input: { path }, principal }) => {
      const { profile, caller } = await access(uow, principal, readDid(path.did));
      const row = await withdrawProposal(uow, deps, profile, caller, path.id);
      return { body: { proposalId: row.proposal_id, status: row.status } };
    },

    'a2p.agent.get': async (reader, { input: { path } }) => ({
      body: agentProfile(await registered(reader, readDid(path.did)), clock.now()),
    }),

    'a2p.did.get': async (reader, { input: { path } }) => ({
      body: didDocument(await registered(reader, readDid(path.did)), clock.now()),
    }),

    'a2p.discover': async () => ({
      body: {
        protocol: 'a2p',
        protocolVersion: '0.1.0',
        endpoint: '/a2p/v1',
        authentication: ['A2P-Signature', 'Bearer'],
        memoryTypes: [...MEMORY_TYPES],
      },
    }),
  };
}

/** A type, or the name of the array that holds memories of it. */
function readType(text: string): MemoryType {
  const type = typeOfArrayKey(text) ?? text;
  if (!isMemoryType(type)) throw memoryErrors.A2P023({ pointer: '/type' });
  return type;
}
