import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../platform/index.ts';
import { fakeClock, seededRandom } from '../../../platform/testing.ts';
import { initProject } from '../config/init.ts';
import { presets } from '../config/presets.ts';
import { approve } from '../gates/decide.ts';
import { openRepository } from '../repository/repository.ts';
import { diagnose } from '../runs/doctor.ts';
import { runLoop } from '../runs/loop.ts';
import { startRun } from '../runs/start.ts';
import { tryTurn } from '../runs/try-turn.ts';
import { runtimeAdapters } from './adapters.ts';
import { takeModelTurn } from './model-turn.ts';

/**
 * Stands in for each command line: refuses arguments that its namesake does not take, reads the prompt from where its
 * namesake does, takes the turn of whatever role it was given, and reports its cost as its namesake does.
 */
const STAND_IN = `#!/usr/bin/env node
const fs = require('fs'), path = require('path');
const name = path.basename(process.argv[1]);
const args = process.argv.slice(2);
const known = {
  claude: { '-p': 0, '--output-format': 1, '--verbose': 0, '--permission-mode': 1, '--allowedTools': 1, '--add-dir': 1, '--model': 1 },
  codex: { exec: 0, '--json': 0, '--skip-git-repo-check': 0, '--sandbox': 1, '--add-dir': 1, '-': 0, '--model': 1 },
  gemini: { '--approval-mode': 1, '--output-format': 1, '--include-directories': 1, '--model': 1 },
  opencode: { run: 0, '--format': 1, '--model': 1 },
  aider: { '--yes-always': 0, '--no-auto-commits': 0, '--no-gitignore': 0, '--no-check-update': 0, '--no-pretty': 0, '--no-stream': 0, '--read': 1, '--file': 1, '--message-file': 1, '--model': 1 },
}[name];
const given = {};
for (let at = 0; at < args.length; at += 1) {
  if (!(args[at] in known)) { console.error('unknown argument ' + args[at]); process.exit(64); }
  const flag = args[at];
  given[flag] = known[flag] === 1 ? args[(at += 1)] : true;
}
const input = fs.readFileSync(0, 'utf8');
const prompt = name === 'aider' ? fs.readFileSync(given['--message-file'], 'utf8') + fs.readFileSync(given['--read'], 'utf8') : input;
for (const wanted of ['## Your answer', '# Context', 'Count words'])
  if (!prompt.includes(wanted)) { console.error('no ' + wanted + ' in the prompt'); process.exit(65); }
const a = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json')));
const write = (file, text) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text); };
const turns = {
  dev: () => {
    write('src/count.js', 'export const count = (text) => text.split(/\\\\s+/).length; // ' + a.turn_id + '\\n');
    write('.planning/IMPLEMENTATION_NOTES.md', '## Changes\\n\\nCounts words for ' + a.turn_id + '.\\n\\n## Verification\\n\\nRan it.\\n');
    return { files_changed: ['src/count.js', '.planning/IMPLEMENTATION_NOTES.md'], phase_transition_request: 'qa', proposed_next_role: 'qa' };
  },
  qa: () => {
    write('.planning/ship-verdict.md', '## Verdict: YES\\n\\n' + a.turn_id + '\\n');
    return { files_changed: ['.planning/ship-verdict.md'], run_completion_request: true, proposed_next_role: 'human' };
  },
};
const result = JSON.stringify({ schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id,
  status: 'completed', summary: a.role + ' by ' + name, decisions: [], objections: [], artifact: { type: 'workspace' },
  verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] }, cost: { usd: 99 }, ...turns[a.role]() });
const answers = name === 'opencode' || name === 'gemini';
if (!answers) write(name === 'aider' ? given['--file'] : process.env.AGENTXCHAIN_STAGING_PATH, result);
const text = answers ? 'Done:\\n\`\`\`json\\n' + result + '\\n\`\`\`' : 'Done.';
const line = (value) => console.log(JSON.stringify(value));
if (name === 'claude') line({ type: 'result', result: text, total_cost_usd: 0.25, usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 7 } });
if (name === 'codex') { line({ type: 'item.completed', item: { type: 'agent_message', text } }); line({ type: 'turn.completed', usage: { input_tokens: 100, output_tokens: 7 } }); }
if (name === 'gemini') console.log('Loaded.\\n' + JSON.stringify({ response: text, stats: { models: { flash: { tokens: { prompt: 100, candidates: 5, thoughts: 2 } } } } }, null, 2));
if (name === 'opencode') { line({ type: 'text', part: { type: 'text', text } }); line({ type: 'step_finish', part: { type: 'step-finish', cost: 0.25, tokens: { input: 100, output: 5, reasoning: 2 } } }); }
if (name === 'aider') console.log(text);
`;

const PROGRAMS = presets.filter(({ program }) => program !== 'baton');
const MEASURED: Readonly<Record<string, unknown>> = {
  claude: { input_tokens: 100, output_tokens: 7, usd: 0.25 },
  codex: { input_tokens: 100, output_tokens: 7, usd: 0 },
  gemini: { input_tokens: 100, output_tokens: 7, usd: 0 },
  opencode: { input_tokens: 100, output_tokens: 7, usd: 0.25 },
};

describe('a preset', () => {
  let folder: string;
  const path = process.env.PATH;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'baton-preset-'));
    mkdirSync(join(folder, 'bin'));
    for (const { program } of PROGRAMS) {
      writeFileSync(join(folder, 'bin', program), STAND_IN);
      chmodSync(join(folder, 'bin', program), 0o755);
    }
    process.env.PATH = `${join(folder, 'bin')}${delimiter}${path}`;
  });
  afterEach(() => {
    process.env.PATH = path;
    rmSync(folder, { recursive: true, force: true });
  });

  async function project(agent: string) {
    const root = join(folder, 'work');
    mkdirSync(root);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
    git('init', '-q');
    git('config', 'user.name', 'Ada');
    git('config', 'user.email', 'ada@example.org');
    await initProject(root, { name: 'Words', goal: 'Count words', template: 'bugfix', agent });
    git('add', '-A');
    git('commit', '-q', '-m', 'Set up');
    return openRepository({
      root,
      keepIn: `${root}.keep`,
      clock: fakeClock(),
      random: seededRandom(4),
      hasher: nodeHasher,
    });
  }

  it.each(PROGRAMS.map(({ id }) => id))('%s goes from one line to a completed run', async (id) => {
    const repository = await project(id);
    const adapters = runtimeAdapters();
    expect(await diagnose(repository, process.env)).toMatchObject({ ok: true });
    await startRun(repository);
    expect(await runLoop(repository, { adapters })).toMatchObject({ stopped: 'gate_held', message: null });
    const { state } = await approve(repository, { by: 'ada' });
    expect(state.status).toBe('completed');
    const [dev, qa] = (await repository.snapshot()).history;
    expect(dev).toMatchObject({ role: 'dev', summary: `dev by ${id}` });
    expect(qa).toMatchObject({ role: 'qa', cost: MEASURED[id] ?? { usd: 99 } });
  });

  it('is checked and tried before the first run, and the trial leaves nothing behind', async () => {
    const repository = await project('claude');
    const trial = await tryTurn(repository, { adapters: runtimeAdapters() });
    expect(trial).toMatchObject({
      outcome: 'accepted',
      role: 'dev',
      files: expect.arrayContaining(['src/count.js']),
    });
    expect((await repository.snapshot()).state.status).toBe('idle');
    rmSync(join(folder, 'bin', 'claude'));
    process.env.PATH = `${join(folder, 'bin')}${delimiter}/usr/bin${delimiter}/bin`;
    expect(await diagnose(repository, { PATH: join(folder, 'bin') })).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        expect.objectContaining({ standing: 'fault', check: 'runtime agent' }),
      ]),
    });
  });

  it('keeps what the agent printed, of each attempt', async () => {
    const repository = await project('codex');
    await startRun(repository);
    await runLoop(repository, { adapters: runtimeAdapters(), maxTurns: 1 });
    const [row] = (await repository.snapshot()).history;
    const log = readFileSync(
      join(repository.root, `.agentxchain/logs/${row?.turn_id}-attempt-1.log`),
      'utf8',
    );
    expect(log).toContain('turn.completed');
  });

  it('takes a command line with flags of its own', async () => {
    const repository = await project('claude -p --verbose');
    const { config } = await repository.snapshot();
    expect(config.runtimes.agent?.command).toEqual(['claude', '-p', '--verbose']);
    await startRun(repository);
    expect(
      (await runLoop(repository, { adapters: runtimeAdapters(), maxTurns: 1 })).state.accepted_sequence,
    ).toBe(1);
  });
});

describe('a bare model as a coding agent', () => {
  it.each(['openai', 'anthropic'])('of the %s kind writes the files it answers with', async (provider) => {
    const folder = mkdtempSync(join(tmpdir(), 'baton-model-'));
    const asked: string[] = [];
    const answer = JSON.stringify({
      turn_id: 'turn_1',
      summary: 'Wrote it',
      proposed_changes: [
        { path: 'src/a.js', action: 'create', content: 'export {};\n' },
        { path: '../out.js', action: 'create', content: 'no' },
        { path: '.agentxchain/state.json', action: 'modify', content: '{}' },
      ],
    });
    const server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      asked.push(body);
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          choices: [{ message: { content: answer } }],
          content: [{ text: answer }],
          usage: { prompt_tokens: 5, completion_tokens: 6, input_tokens: 5, output_tokens: 6 },
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      writeFileSync(join(folder, 'ASSIGNMENT.json'), '{"turn_id":"turn_1","phase":"implementation"}');
      writeFileSync(join(folder, 'PROMPT.md'), 'the prompt');
      writeFileSync(join(folder, 'CONTEXT.md'), 'the context');
      const staging = join(folder, 'staging', 'turn-result.json');
      const failure = await takeModelTurn({
        provider,
        model: 'm',
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        env: { AGENTXCHAIN_DISPATCH_DIR: folder, AGENTXCHAIN_STAGING_PATH: staging },
        cwd: folder,
      });
      expect(failure).toBeUndefined();
      expect(asked[0]).toContain('the prompt');
      expect(asked[0]).toContain('the context');
      expect(readFileSync(join(folder, 'src/a.js'), 'utf8')).toBe('export {};\n');
      expect(JSON.parse(readFileSync(staging, 'utf8'))).toMatchObject({
        files_changed: ['src/a.js'],
        artifact: { type: 'workspace' },
        cost: { input_tokens: 5, output_tokens: 6 },
      });
    } finally {
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
