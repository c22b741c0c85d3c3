import { afterEach, describe, expect, it } from 'vitest';
import { defineErrors } from '../../../kernel/error.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { ana, inboxTestMigrations, testInbox } from '../../../spine/inbox/testing.ts';
import { createWorker } from '../../../spine/jobs/worker.ts';
import { describeOnEachEngine } from '../../../spine/storage/testing.ts';
import { approve } from '../gates/decide.ts';
import { deliveryMigrations } from '../migrations.ts';
import type { DecisionFact, DeliveryPorts, TurnPackage } from '../ports.ts';
import { startRun } from '../runs/start.ts';
import { type TestRepository, testRepository, turnResult } from '../testing.ts';
import { accept } from '../turns/accept.ts';
import { assign } from '../turns/assign.ts';
import { dispatch } from '../turns/dispatch.ts';
import { attachRepository } from './attach.ts';
import { compareWithRecord } from './compare.ts';
import { registerInboxEffects } from './inbox-effects.ts';
import { createMirror } from './mirror.ts';

const CONFIG = {
  schema_version: '1.0',
  project: { id: 'p', name: 'P' },
  roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'manual' } },
  runtimes: { manual: { type: 'manual' } },
  routing: {
    implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'], exit_gate: 'built' },
    qa: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'] },
  },
  gates: { built: { requires_human_approval: true, requires_resolution: 'enter qa' } },
};

const refusals = defineErrors({
  secret_found: { status: 422, message: 'A secret.', next: 'Take it out.' },
  project_archived: { status: 409, message: 'Archived.', next: 'Restore it.' },
});

describeOnEachEngine('what the server records of a run', (open) => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  async function rig(allowed = true, mayDeposit: (draft: TurnPackage) => void = () => {}) {
    repo = testRepository(CONFIG);
    const kit = testInbox(await open([...inboxTestMigrations, ...deliveryMigrations]));
    const { db, clock, random, hasher, inbox, journal } = kit;
    const chain = { sessionId: '00000000-0000-7000-8000-000000000001', kind: 'ledger' as const };
    await db.write((uow) =>
      journal.openChains(uow, {
        sessionId: chain.sessionId,
        ledgerId: '00000000-0000-7000-8000-000000000002',
        projectId: 'p1',
        traceId: '00000000-0000-7000-8000-000000000003',
      }),
    );
    const packages: TurnPackage[] = [];
    const facts: DecisionFact[] = [];
    const ports: DeliveryPorts = {
      inbox,
      record: async (uow, entry) =>
        void (await journal.append(uow, { chain, type: entry.type, payload: entry.payload })),
      deposit: async (uow, _by, draft) => {
        mayDeposit(draft);
        uow.afterCommit(() => packages.push(draft));
      },
      assertFact: async (uow, _by, fact) => uow.afterCommit(() => facts.push(fact)),
      retractFact: async () => {},
      resolve: async () => ({ allowed, waiting: false, reason: 'The policy says no.' }),
      askPeer: async () => ({ text: '', state: null, traceId: 't' }),
    };
    const parts = { db, clock, random, hasher, ports, keepIn: repo.keepIn };
    const mirror = createMirror(parts);
    const [kind, handler] = registerInboxEffects({ ...parts, mirror });
    const worker = createWorker(db, new Map([[kind, handler]]), { clock, random });
    const attached = await attachRepository(parts, { root: repo.root, projectId: 'p1', by: ana.actor });
    const items = () => db.read((reader) => inbox.list(reader, { projects: 'all', limit: 10 }));
    const journalled = async () => {
      const { events } = await kit.feed.page({ limit: 100 });
      return events.map(({ event }) => event.event_type).filter((type) => !type.startsWith('inbox.'));
    };
    const catchUp = () => mirror.catchUp(attached.repositoryId);
    return { ...kit, parts, mirror, worker, attached, packages, facts, items, journalled, catchUp };
  }

  async function waitingAtGate() {
    const repository = repo.open();
    await startRun(repository);
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    repo.stage(
      turn.turn_id,
      turnResult(turn, {
        decisions: [
          {
            id: 'DEC-001',
            category: 'architecture',
            statement: 'One store',
            rationale: 'Simple',
            durability: 'repo',
          },
        ],
        phase_transition_request: 'qa',
        proposed_next_role: 'human',
      }),
    );
    await accept(repository);
    return repository;
  }

  it('follows the events once, whenever it looks', async () => {
    const { catchUp, journalled, packages, facts, items, attached } = await rig();
    await waitingAtGate();
    expect(await catchUp()).toBe(4);
    expect(await catchUp()).toBe(0);
    expect(await journalled()).toEqual(['run.started', 'turn.dispatched', 'turn.accepted', 'gate.pending']);
    expect(packages).toMatchObject([
      {
        title: 'dev: Did the work',
        tags: ['run', 'implementation', 'dev'],
        deliverables: [{ path: 'src/app.ts', type: 'ts' }],
        decisions_made: ['DEC-001: One store. Reason: Simple'],
      },
    ]);
    expect(facts).toMatchObject([
      { subject: `decision/${attached.repositoryId}/DEC-001`, predicate: 'states', value: 'One store' },
    ]);
    expect(await items()).toMatchObject([
      { kind: 'gate', state: 'open', rule: 'gate:built', title: 'Enter qa (gate built)' },
    ]);
  });

  it('deposits a turn without its words where they seem to hold a secret', async () => {
    const { catchUp, packages } = await rig(true, ({ description }) => {
      if (description !== undefined) throw refusals.secret_found();
    });
    await waitingAtGate();
    expect(await catchUp()).toBe(4);
    expect(packages).toMatchObject([{ title: 'dev finished a turn in implementation' }]);
    expect(packages[0]).not.toHaveProperty('decisions_made');
  });

  it('goes on recording the events of a project that is archived', async () => {
    const { catchUp, journalled, packages } = await rig(true, () => {
      throw refusals.project_archived();
    });
    await waitingAtGate();
    expect(await catchUp()).toBe(4);
    expect(await journalled()).toContain('gate.pending');
    expect(packages).toEqual([]);
  });

  it('lets a person approve the gate in the inbox, applied under the accept lock', async () => {
    const { catchUp, items, decide, worker } = await rig();
    const repository = await waitingAtGate();
    await catchUp();
    const [item] = await items();
    await decide({
      itemId: item?.itemId ?? '',
      decision: 'approve',
      digest: item?.digest ?? '',
      principal: ana,
      note: 'Looks right',
    });
    expect((await repository.snapshot()).state.status).toBe('paused');
    await worker.drain();
    expect((await repository.snapshot()).state).toMatchObject({ status: 'active', phase: 'qa' });
    expect(repo.rows('.agentxchain/decision-ledger.jsonl').at(-1)).toMatchObject({
      approved_by: 'ana',
      note: 'Looks right',
    });
    expect(await items()).toMatchObject([{ state: 'applied' }]);
  });

  it('sends the run back to work when a person rejects the gate', async () => {
    const { catchUp, items, decide, worker } = await rig();
    const repository = await waitingAtGate();
    await catchUp();
    const [item] = await items();
    await decide({
      itemId: item?.itemId ?? '',
      decision: 'reject',
      digest: item?.digest ?? '',
      principal: ana,
      note: 'No tests',
    });
    await worker.drain();
    expect((await repository.snapshot()).state).toMatchObject({
      status: 'active',
      phase: 'implementation',
      last_gate_failure: { reasons: ['ana declined: No tests'] },
    });
  });

  it('closes the question when the gate was decided on the files first', async () => {
    const { catchUp, items } = await rig();
    const repository = await waitingAtGate();
    await catchUp();
    await approve(repository, {
      by: 'ben',
      resolve: async () => ({ allowed: true, waiting: false, reason: '' }),
    });
    await catchUp();
    expect(await items()).toMatchObject([{ kind: 'gate', state: 'superseded' }]);
  });

  it('fails the decision, and keeps the gate, when the policy does not allow the action', async () => {
    const { catchUp, items, decide, worker } = await rig(false);
    const repository = await waitingAtGate();
    await catchUp();
    const [item] = await items();
    await decide({
      itemId: item?.itemId ?? '',
      decision: 'approve',
      digest: item?.digest ?? '',
      principal: ana,
    });
    await worker.drain();
    // The gate still waits, and so does its question.
    expect(await items()).toMatchObject([{ state: 'failed' }, { state: 'open', rule: 'gate:built' }]);
    expect((await repository.snapshot()).state).toMatchObject({ status: 'paused', phase: 'implementation' });
  });

  it('asks a person about a run that a limit has stopped, and resumes it once they agree', async () => {
    const { catchUp, items, decide, worker } = await rig();
    const cheap = { id: 'cheap', rule: 'max_cost_per_turn', action: 'escalate', params: { limit: 1 } };
    const config = JSON.parse(repo.read('agentxchain.json'));
    repo.write('agentxchain.json', JSON.stringify({ ...config, policies: [cheap] }));
    const repository = repo.open();
    await startRun(repository);
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    repo.stage(turn.turn_id, turnResult(turn, { cost: { usd: 2 }, proposed_next_role: 'human' }));
    await accept(repository);
    await catchUp();
    const item = (await items()).find(({ state }) => state === 'open');
    expect(item).toMatchObject({ kind: 'escalation', rule: 'policy:cheap' });
    await decide({
      itemId: item?.itemId ?? '',
      decision: 'approve',
      digest: item?.digest ?? '',
      principal: ana,
    });
    await worker.drain();
    expect((await repository.snapshot()).state).toMatchObject({ status: 'active', blocked_on: null });
  });

  describe('beside what was recorded', () => {
    const EVENTS = '.agentxchain/events.jsonl';
    const HISTORY = '.agentxchain/history.jsonl';

    async function compared(edit: () => void) {
      const { parts, mirror, attached, catchUp } = await rig();
      await waitingAtGate();
      await catchUp();
      edit();
      return compareWithRecord(parts, mirror, attached);
    }
    const rewrite = (file: string, change: (rows: LooseRecord[]) => LooseRecord[]) =>
      repo.forge(
        file,
        change(repo.rows(file))
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(''),
      );

    it('the files are the same, whoever looks', async () => {
      expect(await compared(() => {})).toEqual({ recorded: 4, by_id_only: 0, faults: [] });
    });

    it.each<[string, string, (rows: LooseRecord[]) => LooseRecord[], RegExp]>([
      ['an event taken out', EVENTS, (rows) => rows.slice(0, -1), /was recorded and is not in the event log/],
      ['an event changed', EVENTS, (rows) => rows.map((row) => ({ ...row, phase: 'qa' })), /not as it was/],
      ['an event written twice', EVENTS, (rows) => [...rows, ...rows.slice(-1)], /stands twice/],
      [
        'an approval that nobody gave',
        EVENTS,
        (rows) => [...rows, { ...rows[0], event_id: 'evt_0000000000000000', event_type: 'gate_approved' }],
        /evt_0000000000000000 \(gate_approved.*never recorded/,
      ],
      [
        'what a turn proved',
        HISTORY,
        (rows) => rows.map((row) => ({ ...row, verification: { status: 'pass' } })),
        /turn_accepted of turn_.* not as it was/,
      ],
      ['an accepted turn taken out', HISTORY, () => [], /turn_accepted of turn_.* not as it was/],
    ])('%s is named', async (_, file, change, fault) => {
      const { faults } = await compared(() => rewrite(file, change));
      expect(faults).toContainEqual(expect.stringMatching(fault));
    });

    it('a log that cannot be read is a difference', async () => {
      const { faults } = await compared(() => repo.forge(EVENTS, '{"event_id":\nnot json\n'));
      expect(faults).toHaveLength(1);
    });

    it('events from before digests were kept count by their ids', async () => {
      const { db, parts, mirror, attached, catchUp } = await rig();
      await waitingAtGate();
      await catchUp();
      await db.write((uow) => uow.run('update delivery_events set digest = null', []).then(() => undefined));
      rewrite(EVENTS, (rows) => rows.slice(1));
      expect(await compareWithRecord(parts, mirror, attached)).toMatchObject({
        by_id_only: 4,
        faults: [expect.stringContaining('is not in the event log')],
      });
    });
  });

  it('gives a repository to one project', async () => {
    const { parts, attached } = await rig();
    expect(await attachRepository(parts, { root: repo.root, projectId: 'p1', by: ana.actor })).toEqual(
      attached,
    );
    await expect(
      attachRepository(parts, { root: repo.root, projectId: 'p2', by: ana.actor }),
    ).rejects.toMatchObject({
      code: 'repository_taken',
    });
  });
});
