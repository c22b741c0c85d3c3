import { requireProject } from '../identity/access.ts';
import type { Principal } from '../identity/principal.ts';
import { formatMillis } from '../kernel/instant.ts';
import { fromPlain, toPlain } from '../kernel/json/plain.ts';
import type { JsonDocument } from '../kernel/json/reader.ts';
import { readJson } from '../kernel/json/reader.ts';
import type { JsonObject } from '../kernel/json/value.ts';
import { writeJson } from '../kernel/json/write.ts';
import { type Handlers, JsonText } from '../operations/handler.ts';
import type { Reader } from '../storage/database.ts';
import { memoryErrors } from './errors.ts';
import type { memoryOperations } from './operations.ts';
import { ed25519FromMultibase } from './rules/base58.ts';
import { defaultSensitivity, impliedType, parseCategory, STANDARD_CATEGORIES } from './rules/category.ts';
import { classify } from './rules/classify.ts';
import { requireDid } from './rules/did.ts';
import { withMembers } from './rules/json-members.ts';
import { contentOf } from './rules/memory-facets.ts';
import { checkedContent } from './rules/memory-text.ts';
import { statusesAsked } from './rules/proposal.ts';
import { flatProposal } from './rules/proposal-shape.ts';
import { type Caller, callerOf, requireOwner } from './service/caller.ts';
import { requireObject } from './service/consent.ts';
import { decideProposal } from './service/decide-proposal.ts';
import type { Forget } from './service/erasure.ts';
import { agentGrant } from './service/grants.ts';
import type { MemoryService } from './service/service.ts';
import { putAgent, putCategory, selectAgents, selectCategories } from './store/agent-store.ts';
import { selectAccessesTo } from './store/consent-store.ts';
import { selectClasses } from './store/item-store.ts';
import { type Profile, updateSettings } from './store/profile-store.ts';
import { foundBody, memoryRefBody, mergeBody, plainMemory, profileBody, proposalBody } from './views.ts';

type Document = Record<string, unknown>;
const DONE = { body: { ok: true as const } };
const SIMILAR = 5;

export function createMemoryHandlers(service: MemoryService): Handlers<typeof memoryOperations> {
  const { deps, memories, consent, profiles, merges, proposals, reading, promotion, transfer, webhooks } =
    service;
  const { db, clock } = deps;

  /** The profile and who asks: whoever is neither its owner nor an agent of its project does not get here. */
  async function enter(
    reader: Reader,
    principal: Principal,
    did?: string,
  ): Promise<{ profile: Profile; caller: Caller }> {
    const profile = await profiles.choose(reader, principal, did);
    return { profile, caller: callerOf(principal, profile) };
  }

  async function ownProfile(reader: Reader, principal: Principal, did?: string): Promise<Profile> {
    const { profile, caller } = await enter(reader, principal, did);
    requireOwner(caller);
    return profile;
  }

  const similarTo = async (reader: Reader, profile: Profile, text: string, not: readonly string[]) =>
    merges.similar(
      reader,
      profile,
      text,
      not,
      SIMILAR,
      (await selectClasses(reader, profile.did)).map(({ classId }) => classId),
    );

  return {
    'memory.profile.create': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      const made = { did: body.did, displayName: body.display_name, template: body.template };
      return { body: profileBody(await profiles.create(uow, principal, made)) };
    },
    'memory.profile.list': async (reader, { principal }) => ({
      body: { profiles: (await profiles.list(reader, principal)).map(profileBody) },
    }),
    'memory.profile.settings': async (uow, { input: { query, body }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      await updateSettings(uow, profile.did, { ...profile.settings, ...(body as Profile['settings']) });
      await service.tell(uow, profile, {
        type: 'memory.settings_changed',
        actor: principal.actor,
        payload: { settings: Object.keys(body) },
        webhook: 'profile.updated',
        subject: { type: 'profile', id: profile.did },
      });
      return DONE;
    },
    'memory.profile.export': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const document = await transfer.exportProfile(
        reader,
        profile,
        query.shape ?? 'written',
        query.sections,
      );
      return { body: new JsonText(writeJson(document)) };
    },
    'memory.profile.import': async (uow, { document, principal }) => {
      requireProject(principal, principal.defaultProject);
      const { profile, ...counts } = await transfer.importProfile(
        uow,
        principal,
        requireObject(document?.value),
      );
      return { body: { did: profile.did, ...counts } };
    },
    'memory.import': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      const given =
        body.format === 'mem0'
          ? ({ format: 'mem0', value: body.export } as const)
          : ({ format: 'markdown', files: body.files ?? [] } as const);
      return { body: await transfer.importForeign(uow, profile, principal.actor, given) };
    },

    'memory.propose': async (uow, { input: { body }, principal, requestId }) => {
      const { profile: did, ...proposal } = body;
      const { profile, caller } = await enter(uow, principal, did);
      return { body: proposalBody(await proposals.propose(uow, profile, caller, proposal, { requestId })) };
    },
    'memory.proposals.list': async (reader, { input: { query }, principal }) => {
      const { profile, caller } = await enter(reader, principal, query.profile);
      const { limit = 50, offset = 0 } = query;
      const found = await proposals.list(reader, profile, caller, {
        statuses: statusesAsked(query.status),
        limit,
        offset,
      });
      return { body: { proposals: found.map(flatProposal) } };
    },
    'memory.proposals.get': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const proposal = await proposals.get(reader, profile, callerOf(principal, profile), path.id);
      const not = proposal.createdMemoryId === undefined ? [] : [proposal.createdMemoryId];
      const similar = proposal.content === '' ? [] : await similarTo(reader, profile, proposal.content, not);
      return {
        body: {
          ...flatProposal({ ...proposal, similarTo: similar.map(({ memory }) => memory.item.memoryId) }),
          similar: similar.map(({ memory, score, exact, mayContradict }) => ({
            ...plainMemory(memory),
            score,
            exact,
            may_contradict: mayContradict,
          })),
          classified: classify({
            content: proposal.content,
            context: proposal.context,
            episodes: proposal.evidence.length,
          }),
        } as Document,
      };
    },
    'memory.proposals.review': async (uow, { input: { path, body }, principal }) => {
      const { profile: did, action, reason, ...edits } = body;
      const profile = await ownProfile(uow, principal, did);
      const row = await decideProposal(deps, uow, profile, principal, path.id, { action, reason, edits });
      return { body: proposalBody(row) };
    },
    'memory.proposals.withdraw': async (uow, { input: { path, query }, principal }) => {
      const { profile, caller } = await enter(uow, principal, query.profile);
      return { body: proposalBody(await proposals.withdraw(uow, profile, caller, path.id)) };
    },

    'memory.add': async (uow, { input: { body }, principal }) => {
      const { profile: did, content, memory_type: given, category, ...rest } = body;
      const profile = await ownProfile(uow, principal, did);
      await memories.requireCategory(uow, profile, category);
      const implied = impliedType(category);
      if (given !== undefined && implied !== undefined && given !== implied)
        throw memoryErrors.A2P024({ pointer: '/memory_type' });
      const id = memories.newId();
      const at = formatMillis(clock.now());
      const text = checkedContent(content);
      const document = fromPlain({
        id,
        content: text,
        category,
        source: { type: 'user_manual', timestamp: at },
        confidence: 1,
        status: 'approved',
        ...rest,
        metadata: { approvedAt: at, useCount: 0, initialConfidence: 1 },
      }) as JsonObject;
      const type = given ?? implied ?? classify({ content: text }).type;
      await memories.create(uow, profile, principal.actor, { id, type, document });
      return { body: memoryRefBody(await memories.get(uow, profile, id)) };
    },
    'memory.list': async (reader, { input: { query }, principal, requestId }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await reading.find(
        reader,
        profile,
        'all',
        {
          limit: query.limit ?? 50,
          offset: query.offset ?? 0,
          asOf: query.as_of,
          requestId,
          ...(query.type && { types: [query.type] }),
          ...(query.category !== undefined && { categories: [query.category] }),
          ...(query.status && { statuses: [query.status] }),
        },
        undefined,
      );
      return { body: { memories: found.map(foundBody) } };
    },
    'memory.get': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const memory = await memories.get(reader, profile, path.id);
      return { body: { ...plainMemory(memory), ...(memory.item.pinned && { pinned: true }) } };
    },
    'memory.edit': async (uow, { input: { path, body }, principal }) => {
      const { profile: did, content, category, ...rest } = body;
      const profile = await ownProfile(uow, principal, did);
      await memories.requireCategory(uow, profile, category);
      const edit = {
        ...(content !== undefined && { content: checkedContent(content) }),
        ...(category !== undefined && { category }),
        ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      };
      return { body: memoryRefBody(await memories.edit(uow, profile, path.id, principal.actor, edit)) };
    },
    'memory.reclassify': async (uow, { input: { path, body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      return {
        body: memoryRefBody(
          await memories.reclassify(uow, profile, path.id, principal.actor, body.memory_type, 'user'),
        ),
      };
    },
    'memory.pin': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.pin(uow, profile, path.id, principal.actor, true)) };
    },
    'memory.unpin': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.pin(uow, profile, path.id, principal.actor, false)) };
    },
    'memory.confirm': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.confirm(uow, profile, path.id, principal.actor)) };
    },
    'memory.archive': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.archive(uow, profile, path.id, principal.actor)) };
    },
    'memory.restore': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: memoryRefBody(await memories.restore(uow, profile, path.id, principal.actor)) };
    },
    'memory.seen': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      await memories.get(reader, profile, path.id);
      const seen = await selectAccessesTo(reader, profile.did, path.id, 200);
      return {
        body: {
          accesses: seen.map(({ agentDid, at, receiptId, requestId, purpose }) => ({
            agent_did: agentDid,
            at,
            receipt_id: receiptId,
            request_id: requestId,
            purpose: purpose?.type ?? 'other',
          })),
        },
      };
    },
    'memory.recall': async ({ input: { query }, principal, requestId }) => {
      const { profile, caller } = await db.read((reader) => enter(reader, principal, query.profile));
      const found = await reading.read(profile, caller, {
        query: query.query,
        limit: query.limit ?? 10,
        types: query.types,
        categories: query.categories,
        context: query.context,
        asOf: query.as_of,
        session: query.session_id,
        requestId,
      });
      return { body: { memories: found.map(foundBody) } };
    },
    'memory.classify': async ({ input: { body } }) => {
      const { alternatives, ...rest } = classify(body);
      return {
        body: {
          ...rest,
          alternatives: alternatives.map(({ type, rule }) => ({ type, ...(rule !== undefined && { rule }) })),
        },
      };
    },

    'memory.similar': async (reader, { input: { path, query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const memory = await memories.get(reader, profile, path.id);
      const alike = await merges.similar(reader, profile, contentOf(memory.document), [path.id], 20, [
        memory.item.class.classId,
      ]);
      const candidates = alike.map((each) => ({
        ...plainMemory(each.memory),
        score: each.score,
        exact: each.exact,
        may_contradict: each.mayContradict,
      }));
      return { body: { candidates, draft: merges.draft([memory, ...alike.map((each) => each.memory)]) } };
    },
    'memory.merge': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      const content = body.content === undefined ? undefined : checkedContent(body.content);
      return { body: mergeBody(await merges.merge(uow, profile, principal.actor, body.memory_ids, content)) };
    },
    'memory.merges': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      return { body: { merges: (await merges.list(reader, profile)).map(mergeBody) } };
    },
    'memory.unmerge': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      return { body: mergeBody(await merges.undo(uow, profile, principal.actor, path.id)) };
    },
    'memory.promotions': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await promotion.suggestions(reader, profile);
      return {
        body: {
          suggestions: found.map(({ memory, verdict, similar }) => ({
            ...plainMemory(memory),
            action: verdict.action,
            signs: { ...verdict.signs },
            similar: [...similar],
          })),
        },
      };
    },

    'memory.policies': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await consent.policies(reader, profile);
      return { body: { policies: found.map(({ document }) => toPlain(readJson(document)) as Document) } };
    },
    'memory.policy.put': async (uow, { input: { body }, document, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      return {
        body: {
          id: await consent.save(
            uow,
            profile,
            principal.actor,
            withMembers(bodyOf(document), { profile: undefined }),
          ),
        },
      };
    },
    'memory.policy.template': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      return { body: { ids: await consent.applyTemplate(uow, profile, principal.actor, body.template) } };
    },
    'memory.policy.delete': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      await consent.remove(uow, profile, principal.actor, path.id);
      return DONE;
    },
    'memory.agent.put': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      requireDid(body.did, '/did');
      if (body.public_key !== undefined && !ed25519FromMultibase(body.public_key)) {
        throw memoryErrors.A2P006({
          pointer: '/public_key',
          message: 'This is no Ed25519 key in base58 multibase.',
        });
      }
      const registered = await putAgent(uow, {
        did: body.did,
        projectId: principal.defaultProject,
        publicKey: body.public_key,
        createdAt: formatMillis(clock.now()),
        name: body.name,
        tags: body.tags,
        operatorDid: body.operator_did,
        operatorVerified: body.operator_verified,
        audited: body.audited,
        trustScore: body.trust_score,
        jurisdiction: body.jurisdiction,
      });
      if (!registered) throw memoryErrors.A2P002({ message: 'Another project has registered this agent.' });
      return { body: { id: body.did } };
    },
    'memory.agents': async (reader, { principal }) => {
      const agents = await selectAgents(reader, principal.defaultProject);
      return { body: { agents: agents.map((agent) => ({ ...agent })) } };
    },
    'memory.access': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      return { body: { receipts: await consent.receipts(reader, profile, query.agent, query.limit ?? 50) } };
    },
    'memory.access.mine': async (reader, { input: { query }, principal }) => {
      const { profile, caller } = await enter(reader, principal, query.profile);
      const { grant } = await agentGrant(reader, profile.did, caller.did, clock.now());
      return {
        body: {
          agent_did: caller.did,
          permissions: caller.role === 'owner' ? ['owner'] : [...grant.permissions],
          allow: grant.allow.map(({ text }) => text),
          deny: grant.deny.map(({ text }) => text),
          receipts: await consent.receipts(reader, profile, caller.did, 20),
        },
      };
    },
    'memory.access.revoke': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      await consent.revoke(uow, profile, principal.actor, body.agent);
      return DONE;
    },
    'memory.access.restore': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      await consent.restore(uow, profile, principal.actor, body.agent);
      return DONE;
    },
    'memory.categories': async (reader, { principal }) => {
      requireProject(principal, principal.defaultProject);
      const registered = await selectCategories(reader, principal.defaultProject);
      return {
        body: {
          categories: [
            ...STANDARD_CATEGORIES.map((category) => ({
              category,
              sensitivity: defaultSensitivity(category),
              registered: true,
            })),
            ...registered.map(({ category, sensitivity }) => ({ category, sensitivity, registered: true })),
          ],
        },
      };
    },
    'memory.category.put': async (uow, { input: { body }, principal }) => {
      requireProject(principal, principal.defaultProject);
      if (parseCategory(body.category)?.namespace !== 'ext') {
        throw memoryErrors.A2P006({
          pointer: '/category',
          message: 'Third parties register ext:<vendor>:<category>.',
        });
      }
      requireDid(body.maintainer_did, '/maintainer_did');
      await putCategory(uow, principal.defaultProject, {
        category: body.category,
        version: body.version,
        specUrl: body.spec_url ?? null,
        maintainerDid: body.maintainer_did,
        sensitivity: body.sensitivity ?? 'standard',
      });
      return { body: { id: body.category } };
    },

    'memory.erase': async ({ input: { body }, principal }) => {
      const profile = await db.read((reader) => ownProfile(reader, principal, body.profile));
      return { body: await service.erase(profile, principal.actor, forgetOf(body)) };
    },

    'memory.webhook.add': async (uow, { input: { body }, principal }) => {
      const profile = await ownProfile(uow, principal, body.profile);
      const made = await webhooks.add(uow, profile, principal.actor, body.url, body.events ?? []);
      return { body: { id: made.webhookId, secret: made.secret } };
    },
    'memory.webhooks': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await webhooks.list(reader, profile);
      return {
        body: {
          webhooks: found.map(({ webhookId, url, eventTypes }) => ({
            id: webhookId,
            url,
            events: [...eventTypes],
          })),
        },
      };
    },
    'memory.webhook.remove': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      await webhooks.remove(uow, profile, principal.actor, path.id);
      return DONE;
    },
    'memory.deliveries': async (reader, { input: { query }, principal }) => {
      const profile = await ownProfile(reader, principal, query.profile);
      const found = await webhooks.deliveries(reader, profile, query.state, query.limit ?? 50);
      return {
        body: {
          deliveries: found.map(({ eventId, webhookId, eventType, state, lastError }) => ({
            event_id: eventId,
            webhook_id: webhookId,
            event_type: eventType,
            state,
            last_error: lastError,
          })),
        },
      };
    },
    'memory.delivery.retry': async (uow, { input: { path, query }, principal }) => {
      const profile = await ownProfile(uow, principal, query.profile);
      await webhooks.retry(uow, profile, path.id);
      return DONE;
    },
  };
}

function bodyOf(document: JsonDocument | undefined): JsonObject {
  return requireObject(document?.value);
}

interface EraseBody {
  readonly memory?: string | undefined;
  readonly agent?: string | undefined;
  readonly category?: string | undefined;
  readonly everything?: boolean | undefined;
}

/** Exactly one thing: a request that could be read in two ways forgets nothing. */
function forgetOf({ memory, agent, category, everything }: EraseBody): Forget {
  const given: Forget[] = [];
  if (memory !== undefined) given.push({ what: 'memory', id: memory });
  if (agent !== undefined) given.push({ what: 'agent', did: agent });
  if (category !== undefined) given.push({ what: 'category', category });
  if (everything === true) given.push({ what: 'profile' });
  const [only] = given;
  if (!only || given.length > 1) {
    throw memoryErrors.A2P006({ message: 'Say one of memory, agent, category or everything.' });
  }
  return only;
}
