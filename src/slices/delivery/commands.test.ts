import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asRecord } from '../../kernel/json/loose.ts';
import { nodeHasher } from '../../platform/index.ts';
import { fakeClock, seededRandom } from '../../platform/testing.ts';
import { initProject } from './config/init.ts';
import { showGate } from './gates/current-gate.ts';
import { openRepository } from './repository/repository.ts';
import { exportFaults, exportRun } from './runs/export.ts';
import { followEvents, listDecisions, listEvents, listHistory } from './runs/list.ts';
import { reportHtml, reportMarkdown, reportOf } from './runs/report.ts';
import { startRun } from './runs/start.ts';
import { runStatus } from './runs/status.ts';
import { verifyRun } from './runs/verify.ts';
import { type TestRepository, testRepository, turnResult } from './testing.ts';
import { accept } from './turns/accept.ts';
import { assign } from './turns/assign.ts';
import { dispatch } from './turns/dispatch.ts';

describe('setting up a project', () => {
  const root = mkdtempSync(join(tmpdir(), 'baton-init-'));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('writes a project that can be started at once, and never over another', async () => {
    const made = await initProject(root, { name: 'My Tool', goal: 'Count words' });
    expect(made).toMatchObject({
      next: 'baton run start',
      created: expect.arrayContaining(['agentxchain.json', '.planning/PM_SIGNOFF.md']),
    });
    const repository = openRepository({
      root,
      clock: fakeClock(),
      random: seededRandom(1),
      hasher: nodeHasher,
      keepIn: join(root, 'keep'),
    });
    expect((await startRun(repository)).state).toMatchObject({
      status: 'active',
      phase: 'planning',
      project_id: 'my-tool',
    });
    expect(await runStatus(repository)).toMatchObject({
      nextRole: 'pm',
      next: 'baton run step',
      gate: { name: 'planning_signoff' },
    });
    await expect(initProject(root)).rejects.toMatchObject({ code: 'run_already_initialized' });
  });
});

describe('a run that has accepted a turn', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  async function accepted() {
    repo = testRepository();
    const repository = repo.open();
    await startRun(repository);
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    repo.stage(
      turn.turn_id,
      turnResult(turn, {
        summary: 'Built <script>alert(1)</script>\n# it',
        decisions: [{ id: 'DEC-001', category: 'quality', statement: 'Test first', rationale: 'It pays' }],
      }),
    );
    await accept(repository);
    return { repository, turn };
  }

  it('says where it stands and what comes next', async () => {
    const { repository } = await accepted();
    expect(await runStatus(repository)).toMatchObject({
      acceptedTurns: 1,
      nextRole: 'qa',
      phases: ['implementation', 'qa'],
      next: 'baton run step',
    });
    expect(await showGate(repository)).toMatchObject({ phase: 'implementation', passesNow: true });
    expect(await showGate(repository, 'ship')).toMatchObject({
      phase: 'qa',
      gate: { requiresHumanApproval: true },
    });
    await expect(showGate(repository, 'nope')).rejects.toMatchObject({ code: 'unknown_gate' });
  });

  it('lists its history, decisions and events, of one run or all', async () => {
    const { repository, turn } = await accepted();
    expect(await listHistory(repo.root)).toMatchObject([{ turn_id: turn.turn_id }]);
    expect(await listHistory(repo.root, { runId: 'run_other' })).toEqual([]);
    expect(await listDecisions(repo.root)).toMatchObject([{ id: 'DEC-001' }]);
    expect((await listEvents(repo.root, { limit: 1 })).map((event) => event.event_type)).toEqual([
      'turn_accepted',
    ]);
    expect((await repository.snapshot()).ledger).toHaveLength(1);
  });

  it('lets events be followed as they happen', async () => {
    const { repository } = await accepted();
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const event of followEvents(repo.root, stop.signal, 3)) {
        seen.push(event.event_type);
        stop.abort();
      }
    })();
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    await following;
    expect(seen).toEqual(['turn_dispatched']);
  });

  it('is verified by its own files, and a forged row is found', async () => {
    const { repository } = await accepted();
    expect(await verifyRun(repository)).toMatchObject({ ok: true });
    repo.write(
      '.agentxchain/history.jsonl',
      `${repo.read('.agentxchain/history.jsonl')}${repo.read('.agentxchain/history.jsonl')}`,
    );
    const forged = await verifyRun(repository);
    expect(forged.ok).toBe(false);
    expect(forged.checks.find((check) => check.check === 'history')?.faults.join(' ')).toMatch(
      /accepted twice/,
    );
  });

  it('is exported with its bytes, and an altered export is not reported on', async () => {
    const { repository } = await accepted();
    const document = await exportRun(repository);
    expect(exportFaults(document, nodeHasher)).toEqual([]);
    const altered = JSON.parse(JSON.stringify(document));
    altered.files['.agentxchain/history.jsonl'].data[0].summary = 'Something else';
    expect(exportFaults(altered, nodeHasher)).toEqual([
      '.agentxchain/history.jsonl shows other data than its bytes hold.',
    ]);
    altered.files['.agentxchain/history.jsonl'] = {
      ...asRecord(asRecord(document.files)['.agentxchain/history.jsonl']),
      content_base64: 'e30K',
    };
    expect(() => reportOf(altered, nodeHasher)).toThrow(/digest/);
  });

  it('is reported on without letting an agent write markup', async () => {
    const { repository } = await accepted();
    const report = reportOf(await exportRun(repository), nodeHasher);
    expect(report).toMatchObject({ status: 'active', next: 'baton run step' });
    const markdown = reportMarkdown(report);
    expect(markdown).toContain('DEC-001 by dev (quality): "Test first');
    expect(markdown).not.toMatch(/^# it/m);
    expect(reportHtml(report)).not.toContain('<script>');
    expect(repo.read('TALK.md')).toContain('> # it');
  });

  it('shows a torn event log without its torn line', async () => {
    await accepted();
    repo.write('.agentxchain/events.jsonl', `${repo.read('.agentxchain/events.jsonl')}{"event_id":"evt_t`);
    expect(await listEvents(repo.root)).toHaveLength(3);
  });
});
