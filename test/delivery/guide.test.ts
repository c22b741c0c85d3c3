import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { eventually } from './world.ts';

/** Takes the turn of any role, as Claude Code, Codex or Gemini would be started for it, and answers in their form. */
const STAND_IN = `#!${process.execPath}
const fs = require('fs'), path = require('path');
const name = path.basename(process.argv[1]);
const prompt = fs.readFileSync(0, 'utf8');
const a = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json')));
const written = [];
const write = (file, text) => { fs.mkdirSync(path.dirname(file), { recursive: true }); fs.writeFileSync(file, text); written.push(file); };
const doc = (file, text) => write('.planning/' + file, text + '\\n\\nBy ' + name + ' in ' + a.run_id + '.\\n');
const turns = {
  pm: () => {
    doc('PM_SIGNOFF.md', 'Approved: YES');
    doc('SYSTEM_SPEC.md', '## Purpose\\n\\nCounts.\\n\\n## Interface\\n\\ncount(text)\\n\\n## Acceptance Tests\\n\\n- [ ] Two words are two');
    return { phase_transition_request: 'implementation', proposed_next_role: 'dev' };
  },
  dev: () => {
    write('src/count.js', 'export const count = (text) => text.split(/\\\\s+/).length; // ' + a.run_id + '\\n');
    doc('IMPLEMENTATION_NOTES.md', '## Changes\\n\\nCounts words.\\n\\n## Verification\\n\\nRan it.');
    return { phase_transition_request: 'qa', proposed_next_role: 'qa' };
  },
  qa: () => {
    doc('acceptance-matrix.md', '| Req # | Requirement | Status |\\n|---|---|---|\\n| 1 | Two words are two | PASS |');
    doc('ship-verdict.md', '## Verdict: YES');
    doc('RELEASE_NOTES.md', '## User Impact\\n\\nWords are counted.\\n\\n## Verification Summary\\n\\nTried.');
    return { run_completion_request: true, proposed_next_role: 'human' };
  },
};
const asks = turns[a.role]();
const result = JSON.stringify({ schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id,
  status: 'completed', summary: a.role + ' by ' + name + ': ' + (/Count \\w+/.exec(prompt) || [''])[0], decisions: [], objections: [], files_changed: written,
  verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] }, artifact: { type: 'workspace' }, ...asks });
const text = '\`\`\`json\\n' + result + '\\n\`\`\`';
if (name === 'claude') console.log(JSON.stringify({ type: 'result', result: text, total_cost_usd: 0.25, usage: { input_tokens: 10, output_tokens: 7 } }));
if (name === 'codex') console.log(JSON.stringify({ type: 'item.completed', item: { type: 'agent_message', text } }));
if (name === 'gemini') console.log(JSON.stringify({ response: text }));
`;

let folder: string;
let server: TestServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'baton-guide-'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['claude', 'codex', 'gemini']) {
    writeFileSync(join(folder, 'bin', name), STAND_IN);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  server = await startTestServer();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The commands of docs/delivery.md, "A night with three agents", in their order. */
it('the guide leads from an empty folder to a change that three agents delivered, and a person finds in the morning', async () => {
  const guide = readFileSync(new URL('../../docs/delivery.md', import.meta.url), 'utf8');
  const shop = join(folder, 'shop');
  mkdirSync(shop);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: shop, encoding: 'utf8' });
  const baton = async (...args: string[]) => {
    const ran = await runBaton(args, {
      cwd: shop,
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, BATON_DATA: server.dataDir },
    });
    return { ...ran, both: `${ran.stdout}${ran.stderr}` };
  };
  /** As the guide has it, but for the words in quotes. */
  const asWritten = async (...args: string[]) => {
    const line = ['baton', ...args].join(' ');
    expect(guide, line).toContain(line.replace(/ "[^"]*"$/, ''));
    const words = line.match(/"[^"]*"|\S+/g)?.slice(1) ?? [];
    return baton(...words.map((word) => word.replaceAll('"', '')));
  };

  git('init', '-q');
  git('config', 'user.name', 'You');
  git('config', 'user.email', 'you@example.org');
  const made = await asWritten('run init --agent pm=claude dev=codex qa=gemini --unattended');
  expect(made.both).toContain('agentxchain.json');
  git('add', '-A');
  git('commit', '-q', '-m', 'Set up runs');
  const doctor = await asWritten('run doctor');
  expect(doctor.both).toMatch(/claude can be started[\s\S]*codex can be started[\s\S]*gemini can be started/);
  expect(doctor.code).toBe(0);
  expect((await asWritten('run try')).both).toContain('pm took a turn, and it would be accepted');
  expect((await asWritten('run attach --project default')).code).toBe(0);
  expect((await asWritten('run intake add "Count words"')).code).toBe(0);
  expect((await asWritten('run intake add "Count lines"')).code).toBe(0);

  const night = await asWritten('run unattended');
  expect(night.code).toBe(1);
  expect(git('log', '--format=%s').trim().split('\n')).toEqual([
    'qa: qa by gemini: Count words',
    'dev: dev by codex: Count words',
    'pm: pm by claude: Count words',
    'Set up runs',
  ]);
  await eventually(
    async () => (await (await server.fetch('/v1/inbox?state=open')).json()).items as { rule: string }[],
    (items) => items.map(({ rule }) => rule).join() === 'gate:ship',
  );
  expect((await asWritten('inbox')).both).toContain('gate ship');

  const gate = await asWritten('run gate --diff --since run');
  expect(gate.both).toContain('> ## Verdict: YES');
  expect(gate.both).toContain('> +++ b/src/count.js');
  expect(gate.both).toContain('> +export const count');
  expect((await asWritten('run verify')).code).toBe(0);
  expect((await asWritten('run report')).both).toContain('pm by claude');
  expect((await asWritten('run approve')).both).toContain('completed');
  // The next one in the queue begins where this one ended.
  await asWritten('run unattended');
  expect(git('log', '-1', '--format=%s').trim()).toBe('qa: qa by gemini: Count lines');
}, 120_000);
