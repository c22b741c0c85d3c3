import { afterEach, expect, it } from 'vitest';
import { uuidV7Source } from '../../../kernel/ids.ts';
import { readDocument } from '../../../kernel/json/reader.ts';
import { nodeHasher } from '../../../platform/index.ts';
import { seededRandom } from '../../../platform/testing.ts';
import { openIdentity, testPrincipal } from '../../../spine/identity/testing.ts';
import { createInbox } from '../../../spine/inbox/inbox.ts';
import { inboxMigrations } from '../../../spine/inbox/migrations.ts';
import { jobMigrations } from '../../../spine/jobs/migrations.ts';
import { createJobQueue } from '../../../spine/jobs/queue.ts';
import { createJournal } from '../../../spine/journal/journal.ts';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { deliveryMigrations } from '../migrations.ts';
import { startRun } from '../runs/start.ts';
import { createDeliverySlice } from '../slice.ts';
import { type TestRepository, testRepository } from '../testing.ts';

describeOnEachEngine('the delivery operations', (open) => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  async function rig() {
    repo = testRepository();
    const { db, clock, identity, events } = await openIdentity(open, {
      migrations: [...jobMigrations, ...inboxMigrations, ...deliveryMigrations],
    });
    const random = seededRandom(5);
    const ids = uuidV7Source(clock, random);
    const journal = createJournal({ hasher: nodeHasher, ids, clock });
    const jobs = createJobQueue({ ids, clock });
    const ledgerOf = async (
      uow: Parameters<typeof identity.standingSession>[0],
      projectId: string,
      actor: Parameters<typeof identity.standingSession>[2],
    ) => ({
      sessionId: (await identity.standingSession(uow, projectId, actor)).sessionId,
      kind: 'ledger' as const,
    });
    const inbox = createInbox({ journal, jobs, hasher: nodeHasher, clock, random, ledgerOf });
    const delivery = createDeliverySlice({
      db,
      clock,
      random,
      hasher: nodeHasher,
      keepIn: `${repo.root}.keep`,
      ports: {
        inbox,
        record: identity.record,
        deposit: async () => {},
        assertFact: async () => {},
        retractFact: async () => {},
        resolve: async ({ projectId, actor, speaksFor }, { goal, agent, session }) => ({
          allowed: true,
          waiting: false,
          reason: `${goal} in ${projectId}: ${actor.id} for ${agent} of ${speaksFor} in ${session}`,
        }),
        askPeer: async ({ projectId }, { to, as }) => ({
          text: `${to} hears ${as} in ${projectId}`,
          state: 'completed',
          traceId: 't',
        }),
      },
    });
    const principal = testPrincipal();
    const call = (path: object, more: object = {}) =>
      ({
        input: { path, query: {}, ...more },
        principal,
        document: undefined,
        requestId: 'r',
        signal: new AbortController().signal,
      }) as never;
    return { ...delivery, db, events, principal, call };
  }

  it('attach a repository, record what it did, and say where it stands', async () => {
    const { handlers, call, principal, events, db } = await rig();
    await startRun(repo.open());
    const attached = await handlers['delivery.attach'](
      call({ project_id: principal.defaultProject }, { body: { path: repo.root } }),
    );
    const { id } = attached.body as { id: string };
    expect(await handlers['delivery.status'](call({ id }))).toMatchObject({
      body: { status: 'active', next_role: 'dev', next: 'baton run step' },
    });
    expect(await handlers['delivery.events'](call({ id }))).toMatchObject({
      body: { rows: [{ event_type: 'run_started' }] },
    });
    expect(await handlers['delivery.sync'](call({ id }))).toEqual({ body: { recorded: 0 } });
    expect((await events()).map((event) => event.type)).toContain('run.started');
    const list = await db.read((reader) =>
      handlers['delivery.repositories'](reader, call({ project_id: principal.defaultProject })),
    );
    expect(list).toMatchObject({ body: { repositories: [{ id, events_seen: 1 }] } });
  });

  it('hide a repository from whoever cannot see its project', async () => {
    const { handlers, call, principal } = await rig();
    const attached = await handlers['delivery.attach'](
      call({ project_id: principal.defaultProject }, { body: { path: repo.root } }),
    );
    const { id } = attached.body as { id: string };
    const stranger = {
      input: { path: { id }, query: {} },
      principal: testPrincipal({ projects: ['another'] }),
    } as never;
    for (const name of [
      'delivery.status',
      'delivery.history',
      'delivery.sync',
      'delivery.resolve',
      'delivery.ask',
    ] as const) {
      await expect(handlers[name](stranger)).rejects.toMatchObject({
        code: 'repository_not_found',
        status: 404,
      });
    }
  });

  it('find a repository by its directory, and ask policy and peers in its project', async () => {
    const { handlers, call, db, principal } = await rig();
    const attached = await handlers['delivery.attach'](
      call({ project_id: 'another' }, { body: { path: repo.root } }),
    );
    const { id, root } = attached.body as { id: string; root: string };
    const found = (query: object) =>
      db.read((reader) => handlers['delivery.locate'](reader, call({}, { query })));
    expect(await found({ root })).toMatchObject({ body: { repositories: [{ id, project_id: 'another' }] } });
    expect(await found({ root: '/elsewhere' })).toEqual({ body: { repositories: [] } });
    const body = { run_id: 'run_1', gate: 'ship', goal: 'Ship', role: 'dev', peer: 'builder', text: 'Hi' };
    expect(await handlers['delivery.resolve'](call({ id }, { body }))).toMatchObject({
      body: {
        allowed: true,
        reason: `Ship in another: ${principal.actor.id} for role:orchestrator of role:orchestrator in ${principal.actor.id} run_1/role:orchestrator`,
      },
    });
    expect(await handlers['delivery.ask'](call({ id }, { body }))).toMatchObject({
      body: { text: 'builder hears role:dev in another', trace_id: 't' },
    });
  });

  it('ask policy in the run’s name only for who speaks for it', async () => {
    const { handlers, call, principal } = await rig();
    const attached = await handlers['delivery.attach'](
      call({ project_id: principal.defaultProject }, { body: { path: repo.root } }),
    );
    const { id } = attached.body as { id: string };
    const as = (speaksFor: readonly string[]) =>
      handlers['delivery.resolve']({
        input: { path: { id }, body: { run_id: 'run_1', gate: 'ship', goal: 'Ship' } },
        principal: testPrincipal({ owner: false, speaksFor }),
      } as never);
    for (const speaksFor of [[], ['role:dev']]) {
      await expect(as(speaksFor)).rejects.toMatchObject({ code: 'actor_not_yours', status: 403 });
    }
    expect(await as(['role:*'])).toMatchObject({ body: { allowed: true } });
  });

  it('go on with the others when one repository is unreadable', async () => {
    const { handlers, call, principal, catchUp } = await rig();
    await startRun(repo.open());
    await handlers['delivery.attach'](
      call({ project_id: principal.defaultProject }, { body: { path: repo.root } }),
    );
    repo.write('.agentxchain/events.jsonl', '{"event_id": broken}\n{}\n');
    const failed: unknown[] = [];
    await catchUp((_id, error) => failed.push(error));
    expect(failed).toMatchObject([{ code: 'state_corrupt' }]);
  });

  it('run a conformance fixture as it was written', async () => {
    const { handlers, call } = await rig();
    const fixture = {
      fixture_id: 'X-1',
      tier: 1,
      surface: 'event_lifecycle',
      setup: {},
      input: { operation: 'validate_event_ordering', args: { events: [] } },
      expected: { result: 'error' },
    };
    const document = readDocument(JSON.stringify(fixture));
    const answer = await handlers['conform.execute']({ ...(call({}) as object), document } as never);
    expect(answer).toMatchObject({ body: { status: 'pass', actual: { error_type: 'invalid_events' } } });
    expect(await handlers['conform.capabilities'](call({}))).toMatchObject({
      body: { tiers: [1, 2, 3], adapter: { protocol: 'http-fixture-v1' } },
    });
  });
});
