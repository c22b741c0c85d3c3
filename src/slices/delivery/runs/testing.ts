/** Repositories whose agents write what a plan says, for tests of many turns, and of orchestrators that are killed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { type TestRepository, testRepository } from '../testing.ts';

/** Writes what it was told, after a while, and says when it began. The first attempt of some is refused. */
const AGENT = `
const fs = require('fs'), path = require('path');
const a = JSON.parse(fs.readFileSync(path.join(process.env.AGENTXCHAIN_DISPATCH_DIR, 'ASSIGNMENT.json')));
const plan = JSON.parse(process.env.PLAN)[a.role];
fs.appendFileSync(process.env.BEGUN, a.turn_id + ' ' + a.attempt + '\\n');
setTimeout(() => {
  fs.mkdirSync('src', { recursive: true });
  for (const file of plan.files) fs.writeFileSync(file, a.role + ' ' + a.turn_id + ' ' + a.attempt + '\\n');
  if (plan.refused && a.attempt === 1) fs.writeFileSync('src/undeclared-' + a.role, 'rejected bytes\\n');
  fs.writeFileSync(process.env.AGENTXCHAIN_STAGING_PATH, JSON.stringify({
    schema_version: '1.0', run_id: a.run_id, turn_id: a.turn_id, role: a.role, runtime_id: a.runtime_id, status: 'completed',
    summary: 'did it', decisions: [], objections: [], files_changed: plan.files,
    verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] },
    artifact: { type: 'workspace' }, proposed_next_role: 'human' }));
}, plan.waits);
`;

export interface Plan {
  readonly files: readonly string[];
  readonly waits: number;
  readonly refused: boolean;
}

function config(plans: Readonly<Record<string, Plan>>, begun: string): LooseRecord {
  const roles = Object.keys(plans);
  return {
    schema_version: '1.0',
    project: { id: 'p', name: 'P' },
    roles: Object.fromEntries(
      roles.map((id) => [id, { title: id, mandate: id, write_authority: 'authoritative', runtime: 'agent' }]),
    ),
    runtimes: {
      agent: {
        type: 'local_cli',
        command: [process.execPath, '-e', AGENT],
        env: { PLAN: JSON.stringify(plans), BEGUN: begun },
      },
    },
    routing: {
      implementation: {
        entry_role: roles[0],
        allowed_next_roles: [...roles, 'human'],
        max_concurrent_turns: roles.length,
      },
    },
    rules: { max_turn_retries: 4, retry_backoff_seconds: 0 },
  };
}

export function plannedRepository(plans: Readonly<Record<string, Plan>>): TestRepository {
  const repo = testRepository({});
  repo.write('agentxchain.json', JSON.stringify(config(plans, join(repo.root, '.git', 'begun'))));
  repo.write('.gitignore', '.agentxchain/\nTALK.md\n');
  repo.git('init', '-q');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'start');
  return repo;
}

/** Each start of an agent, as its turn and attempt. */
export function startsOf(repo: TestRepository): readonly string[] {
  const begun = join(repo.root, '.git', 'begun');
  return existsSync(begun) ? readFileSync(begun, 'utf8').trim().split('\n') : [];
}
