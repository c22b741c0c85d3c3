/** Governed repositories for tests: real files in a temporary directory, real git where asked. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LooseRecord } from '../../kernel/json/loose.ts';
import { nodeHasher } from '../../platform/index.ts';
import { fakeClock, seededRandom } from '../../platform/testing.ts';
import { isGoverned } from './repository/governed.ts';
import { stagingPath } from './repository/paths.ts';
import { openRepository, type RunRepository } from './repository/repository.ts';
import type { Faults } from './repository/transaction.ts';
import type { ActiveTurn } from './run-state.ts';

export const SMALL_CONFIG: LooseRecord = {
  schema_version: '1.0',
  project: { id: 'demo', name: 'Demo' },
  roles: {
    dev: { title: 'Developer', mandate: 'Build it', write_authority: 'authoritative', runtime: 'manual' },
    qa: { title: 'QA', mandate: 'Test it', write_authority: 'review_only', runtime: 'manual' },
  },
  runtimes: { manual: { type: 'manual' } },
  routing: {
    implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'qa', 'human'], exit_gate: 'built' },
    qa: { entry_role: 'qa', allowed_next_roles: ['dev', 'qa', 'human'], exit_gate: 'ship' },
  },
  gates: { built: { requires_verification_pass: true }, ship: { requires_human_approval: true } },
};

export interface TestRepository {
  readonly root: string;
  open(faults?: Faults): RunRepository;
  readonly keepIn: string;
  /** As a person who vouches for it: a governed file may change in between. */
  write(path: string, text: string): void;
  /** As anybody else. */
  forge(path: string, text: string): void;
  read(path: string): string;
  rows(path: string): LooseRecord[];
  stage(turnId: string, result: LooseRecord): void;
  git(...args: string[]): string;
  /** Every file below the root with its content, for comparing bytes. */
  bytes(): Record<string, string>;
  remove(): void;
}

export function testRepository(
  config: LooseRecord = SMALL_CONFIG,
  options: { readonly git?: boolean; readonly lockWaitMs?: number } = {},
): TestRepository {
  const root = mkdtempSync(join(tmpdir(), 'baton-run-'));
  const clock = fakeClock('2026-03-01T09:00:00Z');
  const random = seededRandom(7);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  write('agentxchain.json', JSON.stringify(config));
  const vouched = (path: string, text: string) => {
    write(path, text);
    // As if a person had looked at it: what Baton compares with is made anew.
    if (isGoverned(path, [])) rmSync(`${root}.keep`, { recursive: true, force: true });
  };
  if (options.git === true) {
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'start');
  }
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  return {
    root,
    keepIn: `${root}.keep`,
    write: vouched,
    forge: write,
    read,
    git,
    rows: (path) =>
      read(path)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as LooseRecord),
    open: (faults) =>
      openRepository({
        root,
        clock,
        random,
        hasher: nodeHasher,
        keepIn: `${root}.keep`,
        lockWaitMs: options.lockWaitMs ?? 60_000,
        ...(faults === undefined ? {} : { faults }),
      }),
    stage: (turnId, result) => write(stagingPath(turnId), JSON.stringify(result)),
    bytes: () => snapshotOf(root),
    remove: () => {
      for (const folder of [root, `${root}.keep`]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function snapshotOf(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('.git/') && !name.includes('/locks') && statSync(join(root, name)).isFile(),
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}

/** A turn of `dev` in progress; a test changes what it is about. */
export function activeTurn(changes: Partial<ActiveTurn> = {}): ActiveTurn {
  return {
    turn_id: 'turn_1',
    run_id: 'run_1',
    assigned_role: 'dev',
    runtime_id: 'manual',
    status: 'running',
    attempt: 1,
    assigned_at: null,
    started_at: null,
    deadline_at: null,
    baseline: null,
    assigned_sequence: 0,
    concurrent_with: [],
    ...changes,
  };
}

/** A complete, valid result for a turn; a test changes what it is about. */
export function turnResult(
  turn: { turn_id: string; run_id: string | null; assigned_role: string; runtime_id: string },
  changes: LooseRecord = {},
): LooseRecord {
  return {
    schema_version: '1.0',
    run_id: turn.run_id,
    turn_id: turn.turn_id,
    role: turn.assigned_role,
    runtime_id: turn.runtime_id,
    status: 'completed',
    summary: 'Did the work',
    decisions: [],
    objections: [],
    files_changed: ['src/app.ts'],
    verification: { status: 'pass', machine_evidence: [{ command: 'npm test', exit_code: 0 }] },
    artifact: { type: 'workspace' },
    proposed_next_role: 'qa',
    ...changes,
  };
}
