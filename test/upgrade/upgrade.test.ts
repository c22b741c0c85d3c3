import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { countRows } from './count-rows.ts';
import { type OldStore, unpackStore } from './old-store.ts';

const MICROS_PER_MS = 1000;

describeOnEachEngine('a store that commit 855c288 made', (open) => {
  let old: OldStore;
  let server: TestServer;
  /** Before anything was asked of it. */
  let counts: Readonly<Record<string, number>>;
  beforeAll(async () => {
    old = await unpackStore(open, '855c288');
    // A second after it was made: nothing that waits in it has expired.
    const now = (Date.parse(old.about.made_at) + 1000) * MICROS_PER_MS;
    const { dataDir, databaseUrl, about } = old;
    const settings = { dataDir, databaseUrl, payloadKeys: { text: about.payload_keys } };
    server = await startTestServer(settings, { clock: { now: () => now } });
    counts = await countRows(server.app);
    await server.app.db.write((uow) => uow.run('update delivery_repositories set root = ?', [old.runRoot]));
  });
  afterAll(async () => {
    await server?.close();
    await old?.remove();
  });

  const call: TestServer['client']['call'] = (...request) => server.client.call(...request);
  const as = (token: string) => createClient({ url: server.url, token });
  const verify = () => call('journal.verify', {});

  it('has lost no row', () => {
    const lost = Object.entries(old.about.counts).filter(([table, rows]) => (counts[table] ?? 0) < rows);
    expect(lost).toEqual([]);
  });

  it('still verifies, with payloads that were dropped and others that are sealed', async () => {
    const report = await verify();
    expect(report).toMatchObject({ valid: true, faults: [] });
    expect(report.events).toBeGreaterThanOrEqual(old.about.counts.events!);
    expect(report.pruned).toBeGreaterThan(0);
    expect(report.checkpoints).toBe(old.about.counts.checkpoints);
    const { session_id, events } = await call('trace.events', { session_id: old.about.sealed });
    expect(events[0]?.payload).toMatchObject({ goal: 'Announce the boat that nobody may read of' });
    expect(await call('trace.verify', { session_id })).toMatchObject({ valid: true, ended: true });
  });

  it('knows its owner and its agents, and no key that was revoked', async () => {
    expect(await call('identity.whoami', {})).toMatchObject({ actor_id: 'owner', passphrase_set: true });
    expect(await as(old.about.agent).call('identity.whoami', {})).toMatchObject({ actor_id: 'purser' });
    await expect(as(old.about.revoked).call('identity.whoami', {})).rejects.toMatchObject({ status: 401 });
    const { keys } = await call('keys.list', { limit: 200 });
    expect(keys).toHaveLength(old.about.counts.credentials!);
    expect(keys.filter(({ revoked_at }) => revoked_at).map(({ label }) => label)).toEqual(['For one day']);
    const { passphrase } = old.about;
    const { token } = await call('identity.login', { passphrase });
    expect(await as(token!).call('identity.whoami', {})).toMatchObject({ present: true });
  });

  it('has its projects, packages and facts, with their past', async () => {
    const projects = await call('projects.list', { archived: true });
    expect(projects.map(({ project_id, archived_at }) => [project_id, archived_at !== null])).toEqual([
      ['default', false],
      ['ferry', false],
      ['pier', true],
    ]);
    const titlesOf = async (project_id: string) =>
      ((await call('packages.list', { project_id })) as { title: string }[]).map(({ title }) => title);
    expect(await titlesOf('default')).toEqual(
      expect.arrayContaining([
        'Idempotent payments are built and tested',
        'Roll-out waits for the load test',
        'pm: Wrote down what the greeter does and how it is checked.',
        'echo: Read the log of yesterday',
      ]),
    );
    expect(await titlesOf('ferry')).toEqual(
      expect.arrayContaining(['Winter timetable drafted', 'Fares for spring', 'Timetable note answer-1']),
    );
    expect(await call('packages.integrity', { project_id: 'ferry' })).toEqual({ checked: 5, mismatches: [] });
    const valuesOf = async (project_id: string, subject: string, history: boolean) =>
      (await call('facts.list', { project_id, subject, history })).map(({ value }) => value);
    expect(await valuesOf('default', 'staging', false)).toEqual(['450 requests/s']);
    expect(await valuesOf('default', 'staging', true)).toEqual(['450 requests/s', '200 requests/s']);
    expect(await valuesOf('ferry', 'tide-60', false)).toEqual([]);
    expect(await valuesOf('ferry', 'tide-60', true)).toEqual(['12:10']);
  });

  it('orients, searches and explains over what was there', async () => {
    const orientation = JSON.stringify(await call('context.orient', { project_id: 'default' }));
    expect(orientation).toContain('Run the load test against staging');
    expect(orientation).toContain('Should refunds share the key space with payments?');
    const { hits } = await call('context.search', { query: 'double charges' });
    expect(hits[0]).toMatchObject({ title: 'Runbook for double charges' });
    const { nodes } = await call('why.explain', { id: hits[0]!.id });
    expect(nodes.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['package', 'item']));
  });

  it('has reviews, signatures, references, tombstones, bytes and sessions of elsewhere', async () => {
    const inReview = async (project_id: string, status: 'awaiting_review' | 'revision_requested') =>
      (await call('review.queue', { project_id, status })).map(({ title }) => title);
    expect(await inReview('default', 'awaiting_review')).toEqual(['Runbook for double charges']);
    expect(await inReview('ferry', 'revision_requested')).toEqual(['Fares for autumn']);
    const answer = { package_id: 'answer-1' };
    const { attestations } = await call('attestations.list', answer);
    expect(attestations).toMatchObject([{ actor: { id: 'owner' }, valid: true }]);
    expect((await call('packages.refs', answer)).refs).toMatchObject([
      { rel: 'informs', state: 'available' },
    ]);
    const gone = await call('packages.get', { package_id: 'withdrawn-1', envelope: true });
    expect(gone).toMatchObject({ package: null, redacted: true });
    const hash = 'sha256:035ffeea0fbee98d24f93c44efacf2402bfd5adfd075fcd68d99ed319666c0b2';
    expect(await (await server.fetch(`/v1/projects/ferry/blobs/${hash}`)).text()).toContain('07:10');
    const foreign = await call('sessions.list', { project_id: 'ferry', callsign: 'amber-tern' });
    expect(foreign).toMatchObject([{ session_id: 'tern-1', actor_id: 'mate' }]);
    const own = await call('sessions.list', { project_id: 'ferry', status: 'ended' });
    expect(own).toMatchObject([{ actor_id: 'skipper' }]);
  });

  it('has its Atlases, what was executed under them, and who approved', async () => {
    const atlases = (await call('atlas.list', {})) as { atlas_id: string; version: string }[];
    expect(atlases.map(({ atlas_id, version }) => `${atlas_id}@${version}`)).toEqual([
      'com.example.shop@1.0.0',
      'com.example.boats@1.1.0',
      'com.example.support@1.2.0',
    ]);
    const approvals = async (status: 'pending' | 'approved') =>
      (await call('approvals.list', { status })).items;
    expect(await approvals('pending')).toMatchObject([
      { action_ids: ['payment.refund'], parameters: { payment: 'pay_4711' } },
    ]);
    expect(await approvals('approved')).toMatchObject([{ action_ids: ['price.change'], approver: 'alice' }]);
    const { items } = await call('carp.session.list', { status: 'ended' });
    expect(items.map(({ agent_id }) => agent_id)).toEqual(['horn', 'bell', 'foghorn']);
    // The foghorn's session is too old: its payloads were dropped.
    for (const { session_id, agent_id } of items.filter(({ agent_id }) => agent_id !== 'foghorn')) {
      const { actions } = await call('trace.state', { session_id });
      expect({ agent_id, actions }).toMatchObject({ actions: [{ action_id: 'boat.announce' }] });
      expect(await call('trace.replay', { session_id })).toMatchObject({ deterministic: true });
    }
  });

  it('has its memories, and remembers who may read them and who did', async () => {
    const { memories } = await call('memory.list', {});
    const contents = memories.map(({ memory }) => (memory as { content: string }).content);
    expect(contents).toEqual(
      expect.arrayContaining([
        'Names branches after the ticket',
        'Whistles while walking',
        'Rows on Fridays',
      ]),
    );
    expect(contents.filter((content) => content.includes('choir'))).toEqual([]);
    const { proposals } = await call('memory.proposals.list', {});
    expect(proposals.map(({ status }) => status).sort()).toEqual(['approved', 'pending', 'rejected']);
    expect((await call('memory.policies', {})).policies).toHaveLength(2);
    const { receipts } = await call('memory.access', {});
    expect(receipts.map(({ agentDid }) => agentDid)).toEqual([
      'did:a2p:agent:local:pilot',
      'did:a2p:agent:local:coach',
    ]);
    expect((await call('memory.merges', {})).merges.map(({ undone_at }) => undone_at !== null)).toEqual([
      true,
      false,
    ]);
    expect((await call('memory.recall', { query: 'branches' })).memories).toHaveLength(1);
    expect((await call('memory.deliveries', { state: 'waiting' })).deliveries).toHaveLength(2);
    const rows = { content: 'Rows on Fridays', category: 'a2p:interests' };
    await call('memory.add', rows, { idempotencyKey: 'rows-on-fridays' });
    expect((await call('memory.list', {})).memories).toHaveLength(memories.length);
  });

  it('has its peers, tasks, spans and channels', async () => {
    expect((await call('relay.peers', { cards: false })).items).toMatchObject([
      { id: 'echo', governed_action: 'boat.announce', push: 'interpose' },
    ]);
    const { items: tasks } = await call('relay.tasks', {});
    expect(tasks.map(({ context_id }) => context_id)).toEqual(['berth-four', 'log-of-yesterday']);
    const { items: spans } = await call('relay.spans', { session_id: 'ticket-4711' });
    expect(spans.map(({ name }) => name)).toContain('tools/call charge.lookup');
    expect((await call('relay.status', {})).export).toMatchObject({ waiting: 15, sent: 1 });
    const id = old.about.channel;
    expect(await call('channel.state', { id })).toMatchObject({ berths: { four: 'free' } });
    const { events } = await call('channel.events', { id, after: 0 });
    expect(events.map(({ kind }) => kind)).toEqual(['spec', 'state', 'comms']);
    const { receipts } = await call('channel.receipts', { id });
    expect(receipts).toMatchObject([{ agent: 'mate', delivered_seq: 3, read_seq: 2 }]);
    await expect(call('channel.lease', { id, holder: 'mate' })).rejects.toMatchObject({ code: 'lease_held' });
  });

  it('goes on following its run', async () => {
    const { repositories } = await call('delivery.repositories', { project_id: 'default' });
    expect(repositories).toMatchObject([{ attached_by: { id: 'owner' }, events_seen: 6 }]);
    const { id } = repositories[0]!;
    expect(await call('delivery.status', { id })).toMatchObject({
      phase: 'implementation',
      accepted_turns: 1,
    });
    expect(await call('delivery.sync', { id })).toEqual({ recorded: 0 });
    const { events } = await call('journal.changes', { types: ['turn.accepted', 'gate.approved'] });
    expect(events).toHaveLength(2);
  });

  it('takes the decisions that waited, and new work; and verifies with both', async () => {
    const agent = as(old.about.agent);
    const written = await agent.call('packages.write', { title: 'Moved to the new version' });
    await call('facts.state', { subject: 'staging', predicate: 'load-limit', value: '500 requests/s' });
    await call('channel.post', { id: old.about.channel, kind: 'comms', payload: { text: 'Still here' } });
    const { token } = await call('identity.login', { passphrase: old.about.passphrase });
    const { items } = await call('inbox.list', {});
    expect(items.map(({ kind }) => kind)).toEqual(['package_review', 'carp_approval', 'memory_proposal']);
    for (const { id, digest } of items) {
      await as(token!).call('inbox.decide', { id, digest, decision: 'approve' });
      expect(await call('inbox.get', { id })).toMatchObject({ state: 'applied' });
    }
    expect(await call('packages.get', { package_id: written.package_id })).toMatchObject({
      title: 'Moved to the new version',
    });
    await call('journal.checkpoint', {});
    const report = await verify();
    expect(report).toMatchObject({ valid: true, faults: [] });
    expect(report.events).toBeGreaterThan(old.about.counts.events!);
    expect(server.failures).toEqual([]);
  });
});

describeOnEachEngine('a store that commit 855c288 made, changed after the upgrade', (open) => {
  let old: OldStore;
  let server: TestServer;
  beforeAll(async () => {
    old = await unpackStore(open, '855c288');
    const now = (Date.parse(old.about.made_at) + 1000) * MICROS_PER_MS;
    const { dataDir, databaseUrl, about } = old;
    const settings = { dataDir, databaseUrl, payloadKeys: { text: about.payload_keys } };
    server = await startTestServer(settings, { clock: { now: () => now } });
  });
  afterAll(async () => {
    await server?.close();
    await old?.remove();
  });

  const faultsAfter = async (...statements: readonly string[]) => {
    for (const sql of statements) await server.app.db.write((uow) => uow.run(sql));
    return (await server.client.call('journal.verify', { events: true })).faults.map(({ kind }) => kind);
  };

  it('puts on record what was dropped before, at its first checkpoint, and then excuses nothing more', async () => {
    expect(await faultsAfter()).toEqual([]);
    await server.client.call('packages.write', { title: 'The first after the upgrade' });
    const before = await server.client.call('journal.checkpoint', {});
    const { events } = await server.client.call('journal.changes', { types: ['retention.adopted'] });
    expect(events.length).toBeGreaterThan(0);
    const kept = { checkpoints: [before.note], events: true };
    expect(await server.client.call('journal.verify', kept)).toMatchObject({ valid: true, faults: [] });
  });

  it('shows what somebody drops, dates or deletes now', async () => {
    const victim = 'leaf = (select max(leaf) from events where payload is not null and leaf < 20)';
    const time = (step: string) => `update events set time_us = time_us ${step} 1 where ${victim}`;
    expect(await faultsAfter(time('+'))).toContain('time_mismatch');
    expect(await faultsAfter(time('-'))).toEqual([]);
    const chain = `chain_id = (select chain_id from events where ${victim})`;
    const dropped = await faultsAfter(
      `update chains set pruned_through = next_sequence - 1 where ${chain}`,
      `update events set payload = null where ${victim}`,
    );
    expect(dropped).toEqual(expect.arrayContaining(['pruning_unrecorded', 'payload_missing']));
    const oldest = 'delete from checkpoints where size = (select min(size) from checkpoints)';
    expect(await faultsAfter(oldest)).toContain('checkpoint_missing');
  });
});
