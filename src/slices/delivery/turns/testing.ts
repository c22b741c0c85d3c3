/** A repository with an agent that does what a test says before it answers, as an honest one would. */
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { startRun } from '../runs/start.ts';
import { verifyRun } from '../runs/verify.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import { type TestRepository, testRepository } from '../testing.ts';
import { step } from './step.ts';

/**
 * The agent does what the attack says, with the repository in `R` and its own tree as the current directory, and then
 * answers as an honest one would. Only the honest part may ever count.
 */
const AGENT = `
const fs = require('fs'), path = require('path'), { execFileSync } = require('child_process');
const a = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json')));
const R = process.env.REPOSITORY;
const read = (p) => fs.readFileSync(path.join(R, p), 'utf8');
const write = (p, t) => { fs.mkdirSync(path.dirname(path.join(R, p)), { recursive: true }); fs.writeFileSync(path.join(R, p), t); };
const git = (...args) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { cwd: R, stdio: 'pipe' });
const state = (changes) => write('.agentxchain/state.json', JSON.stringify({ ...JSON.parse(read('.agentxchain/state.json')), ...changes }));
let answer = {};
fs.mkdirSync('src', { recursive: true });
fs.writeFileSync('src/app.js', 'work\\n');
fs.mkdirSync('.planning', { recursive: true });
fs.writeFileSync('.planning/NOTES.md', 'Notes of ' + a.turn_id + '\\n');
if (a.attempt === 1) eval(process.env.ATTACK);
fs.writeFileSync(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({
  schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id, status: 'completed',
  summary: 'did it', decisions: [], objections: [], files_changed: ['src/app.js', '.planning/NOTES.md'],
  verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] },
  artifact: { type: 'workspace' }, proposed_next_role: 'human', phase_transition_request: 'qa', ...answer }));
`;

const config = (root: string, attack: string, more: LooseRecord): LooseRecord => ({
  schema_version: '1.0',
  project: { id: 'p', name: 'P' },
  roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'agent' } },
  runtimes: {
    agent: {
      type: 'local_cli',
      command: [process.execPath, '-e', AGENT],
      env: { ATTACK: attack, REPOSITORY: root },
    },
  },
  routing: {
    implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'], exit_gate: 'built' },
    qa: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'], exit_gate: 'ship' },
  },
  gates: {
    built: { requires_files: ['.planning/NOTES.md'], requires_human_approval: true },
    ship: { requires_human_approval: true },
  },
  prompts: { dev: 'prompts/dev.md' },
  ...more,
});

/** The repository in which the agent will do this. */
export function hostileRepository(attack: string, more: LooseRecord = {}): TestRepository {
  // Nobody else works here: a lock that is held was left by the agent.
  const repo = testRepository({}, { lockWaitMs: 500 });
  repo.write('agentxchain.json', JSON.stringify(config(repo.root, attack, more)));
  repo.write('prompts/dev.md', 'Work well.\n');
  repo.write('src/kept.js', 'as it was\n');
  repo.write('.gitignore', '.agentxchain/\n');
  repo.git('init', '-q');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'start');
  return repo;
}

/** Takes the turn, and what the check of the run says afterwards. */
export async function takeHostileTurn(repo: TestRepository) {
  const repository = repo.open();
  await startRun(repository);
  const first = await step(repository, { adapters: runtimeAdapters() });
  return { repository, first, named: JSON.stringify((await verifyRun(repository)).checks) };
}
