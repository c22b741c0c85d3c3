import { afterEach, describe, expect, it } from 'vitest';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { startRun } from '../runs/start.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import { SMALL_CONFIG, type TestRepository, testRepository, turnResult } from '../testing.ts';
import { accept } from '../turns/accept.ts';
import { assign } from '../turns/assign.ts';
import { dispatch } from '../turns/dispatch.ts';
import { step } from '../turns/step.ts';
import { viewGate } from './gate-view.ts';

/** Writes its file and the gate's document, in each phase another one. */
const AGENT = `
const fs = require('fs'), path = require('path');
const a = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json')));
const file = 'src/' + a.phase + '.js';
fs.mkdirSync('src', { recursive: true }); fs.mkdirSync('.planning', { recursive: true });
fs.writeFileSync(file, 'first\\nsecond\\n');
fs.writeFileSync('src/picture.bin', Buffer.from([0, 1, 2, a.phase.length]));
fs.writeFileSync('.planning/NOTES.md', 'Notes of ' + a.turn_id + '\\n');
fs.writeFileSync(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({
  schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id, status: 'completed',
  summary: 'did it', decisions: [], objections: [], files_changed: [file, 'src/picture.bin', '.planning/NOTES.md'],
  verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] },
  artifact: { type: 'workspace' }, proposed_next_role: 'dev',
  ...(a.phase === 'qa' ? { run_completion_request: true } : { phase_transition_request: 'qa' }) }));
`;

const CONFIG: LooseRecord = {
  ...SMALL_CONFIG,
  roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'agent' } },
  runtimes: { agent: { type: 'local_cli', command: [process.execPath, '-e', AGENT] } },
  routing: {
    implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'], exit_gate: 'built' },
    qa: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'], exit_gate: 'ship' },
  },
  gates: { built: {}, ship: { requires_files: ['.planning/NOTES.md'], requires_human_approval: true } },
};

const ASKED = { built: { requires_human_approval: true }, ship: {} };

describe('what a gate approves', () => {
  let repo: TestRepository;
  afterEach(() => repo.remove());

  it('is shown beside its documents, since its phase began or since the run did', async () => {
    repo = testRepository(CONFIG);
    repo.write('.gitignore', '.agentxchain/\nTALK.md\n');
    repo.write('.gitattributes', '*.js diff=evil\n');
    repo.git('init', '-q');
    // What the repository names is not started for a look.
    repo.git('config', 'diff.external', 'touch /tmp/never; false');
    repo.git('config', 'diff.evil.textconv', 'echo converted');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', 'start');
    const repository = repo.open();
    await startRun(repository);
    const adapters = runtimeAdapters();
    expect(await step(repository, { adapters })).toMatchObject({ state: { phase: 'qa' } });
    expect(await step(repository, { adapters })).toMatchObject({ state: { status: 'paused' } });
    const { history } = await repository.snapshot();

    const view = await viewGate(repository);
    expect(view).toMatchObject({
      gate: { name: 'ship' },
      documents: [
        {
          path: '.planning/NOTES.md',
          text: `Notes of ${history[1]?.turn_id}\n`,
          truncated: false,
          turnId: history[1]?.turn_id,
        },
      ],
      changes: {
        from: repo.git('rev-parse', 'HEAD^').trim(),
        to: repo.git('rev-parse', 'HEAD').trim(),
        files: [
          { path: '.planning/NOTES.md', added: 1, deleted: 1 },
          { path: 'src/picture.bin', added: null, deleted: null },
          { path: 'src/qa.js', added: 2, deleted: 0 },
        ],
        truncated: false,
      },
    });
    expect(view?.changes.patch).toContain('+++ b/src/qa.js\n@@ -0,0 +1,2 @@\n+first\n+second\n');
    const whole = await viewGate(repository, undefined, 'run');
    expect(whole?.changes.files.map(({ path }) => path)).toContain('src/implementation.js');
  });

  it('is the files as they are, new ones too, where turns work in the repository itself', async () => {
    repo = testRepository({ ...SMALL_CONFIG, gates: ASKED }, { git: true });
    const repository = repo.open();
    await startRun(repository);
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    repo.forge('src/app.ts', 'new\n');
    repo.stage(turn.turn_id, turnResult(turn, { phase_transition_request: 'qa' }));
    await accept(repository);
    const before = repo.git('status', '--porcelain');
    expect((await viewGate(repository))?.changes).toMatchObject({
      to: null,
      files: [{ path: 'src/app.ts', added: 1, deleted: 0 }],
      patch: expect.stringContaining('+new\n'),
    });
    expect(repo.git('status', '--porcelain')).toBe(before);
  });

  it('is what turns declared, without git', async () => {
    repo = testRepository({ ...SMALL_CONFIG, gates: ASKED });
    const repository = repo.open();
    await startRun(repository);
    const { turn } = await assign(repository);
    await dispatch(repository, turn.turn_id);
    repo.forge('src/app.ts', 'new\n');
    repo.stage(turn.turn_id, turnResult(turn, { phase_transition_request: 'qa' }));
    await accept(repository);
    expect((await viewGate(repository))?.changes).toEqual({
      from: null,
      to: null,
      files: [{ path: 'src/app.ts', added: null, deleted: null }],
      patch: '',
      truncated: false,
    });
  });
});
