import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { followed, type Json } from './followed.ts';
import { type Governed, governedRepository } from './world.ts';

describe('a run that the server follows', () => {
  let server: TestServer;
  let governed: Governed;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(async () => {
    await server.close();
    await governed.remove();
  });

  const { get, run, baton, open, items, waiting, decide, settled } = followed(() => ({ server, governed }));

  it('goes through three phases, its human gates approved in the inbox over HTTP', async () => {
    governed = await governedRepository();
    const { id } = await baton('run', 'attach', '--project', 'default');
    expect(await baton('run', 'start', '--all')).toMatchObject({ stopped: 'gate_held' });

    const gate = await waiting();
    expect(gate).toMatchObject({
      kind: 'gate',
      rule: 'gate:planning_signoff',
      requested_by: { id: 'role:orchestrator', type: 'agent' },
      title: 'Enter implementation (gate planning_signoff)',
    });
    const repository = open();
    await repository.exclusively(async ({ reread }) => {
      // Whoever holds the lock is not disturbed: the decision stands, its effect waits.
      expect(await decide(gate, 'approve')).toMatchObject({ state: 'decided' });
      expect((await reread()).state).toMatchObject({ status: 'paused', phase: 'planning' });
    });
    await settled(gate, 'applied');
    expect((await repository.snapshot()).state).toMatchObject({ status: 'active', phase: 'implementation' });

    expect(await baton('run', 'step', '--all')).toMatchObject({ stopped: 'gate_held' });
    await settled(await decide(await waiting(), 'approve'), 'applied');
    expect(await get(`/v1/repositories/${id}/run`)).toMatchObject({
      status: 'completed',
      accepted_turns: 3,
      next: 'baton run report',
    });
    const verified = await baton('run', 'verify');
    expect(verified).toMatchObject({ ok: true });
    expect(verified.checks).toContainEqual({ check: 'record', faults: [], notes: [] });
    await governed.write('.agentxchain/history.jsonl', '');
    const emptied = await run('run', 'verify', '--json');
    expect(emptied).toMatchObject({ code: 6, stdout: expect.stringContaining('not as it was recorded') });

    const packages: Json[] = await get('/v1/projects/default/packages?limit=10');
    expect(packages.map((found) => [found.created_by.id, found['x-run'].phase])).toEqual([
      ['role:qa', 'qa'],
      ['role:dev', 'implementation'],
      ['role:pm', 'planning'],
    ]);
    expect(packages[0]).toMatchObject({ open_questions: ['OBJ-001: An empty name greets nobody'] });
    expect(await get('/v1/projects/default/facts')).toMatchObject([
      {
        subject: `decision/${id}/DEC-001`,
        value: 'The greeter greets by name only',
        source_package_id: packages[2].package_id,
        asserted_by: { id: 'role:pm', type: 'agent' },
      },
    ]);
    const journal = await get('/v1/changes?limit=500');
    const types: string[] = journal.events.map((entry: Json) => entry.event.event_type);
    const ofRuns = types.filter((type) => /^(run|turn|gate|phase|acceptance)\./.test(type));
    expect(ofRuns[0]).toBe('run.started');
    expect(ofRuns.at(-1)).toBe('run.completed');
    expect(ofRuns.filter((type) => type === 'turn.accepted')).toHaveLength(3);
    expect(ofRuns.filter((type) => type === 'turn.rejected')).toHaveLength(1);
    expect(ofRuns.filter((type) => type === 'gate.approved')).toHaveLength(2);
    expect(await items('open')).toEqual([]);
    expect(server.failures).toEqual([]);
  });

  it('stays at the gate when a person rejects, and says so to whoever looks', async () => {
    governed = await governedRepository();
    await baton('run', 'attach', '--project', 'default');
    await baton('run', 'start', '--all');
    await settled(await decide(await waiting(), 'reject'), 'applied');
    const status = await baton('run', 'status');
    expect(status.state).toMatchObject({ status: 'active', phase: 'planning' });
    expect(await items('open')).toEqual([]);
  });

  it('takes the approval of the command line through the inbox, with its credential', async () => {
    governed = await governedRepository();
    await baton('run', 'attach', '--project', 'default');
    await baton('run', 'start', '--all');
    const gate = await waiting();
    const named = await run('run', 'approve', '--by', 'ana');
    expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining('who the credential says') });
    await baton('run', 'approve');
    await settled(gate, 'applied');
    expect(await baton('run', 'status')).toMatchObject({ state: { phase: 'implementation' } });
  });

  it('takes no approval from somebody without the credential', async () => {
    governed = await governedRepository();
    await baton('run', 'attach', '--project', 'default');
    await baton('run', 'start', '--all');
    const gate = await waiting();
    const elsewhere = await mkdtemp(join(tmpdir(), 'baton-nobody-'));
    const tried = await runBaton(['run', 'approve', '--by', 'mallory', '--dir', governed.root], {
      env: { HOME: elsewhere, BATON_DATA: join(elsewhere, 'data') },
    });
    await rm(elsewhere, { recursive: true, force: true });
    expect(tried.code).not.toBe(0);
    expect(await get(`/v1/inbox/${gate.id}`)).toMatchObject({ state: 'open' });
    expect(await baton('run', 'status')).toMatchObject({ state: { status: 'paused', phase: 'planning' } });
  });
});
