import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeHasher, nodeRandom, systemClock } from '../src/platform/index.ts';
import {
  openRepository,
  type RuntimeAdapters,
  runLoop,
  runtimeAdapters,
  startRun,
} from '../src/slices/delivery/commands.ts';
import type { Side } from './harness.ts';

const TURNS = 3;
const FILES = 200;

const CONFIG = {
  schema_version: '1.0',
  project: { id: 'p', name: 'P' },
  roles: { dev: { title: 'Dev', mandate: 'Build', write_authority: 'authoritative', runtime: 'agent' } },
  runtimes: { agent: { type: 'local_cli', command: ['unused'] } },
  routing: { implementation: { entry_role: 'dev', allowed_next_roles: ['dev', 'human'] } },
};

interface Prepared {
  readonly folder: string;
  readonly root: string;
}

function freshRepository(): Prepared {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  const root = join(folder, 'work');
  mkdirSync(join(root, 'src'), { recursive: true });
  for (let at = 0; at < FILES; at += 1) writeFileSync(join(root, 'src', `file-${at}.js`), `// ${at}\n`);
  writeFileSync(join(root, 'agentxchain.json'), JSON.stringify(CONFIG));
  writeFileSync(join(root, '.gitignore'), '.agentxchain/\nTALK.md\n');
  bare(root, 'init', '-q');
  bare(root, 'config', 'user.name', 'Ada');
  bare(root, 'config', 'user.email', 'ada@example.org');
  bare(root, 'add', '-A');
  bare(root, 'commit', '-q', '-m', 'Begin');
  return { folder, root };
}

function bare(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' });
}

/** What the agent of a turn would take is left out: its file and its answer are written at once. */
const adapters: RuntimeAdapters = {
  ...runtimeAdapters(),
  async local_cli({ root, turn, stagingFile }) {
    await writeFile(join(root, 'src', 'file-1.js'), `${turn.turn_id}\n`);
    await mkdir(join(stagingFile, '..'), { recursive: true });
    return {
      kind: 'result',
      result: {
        schema_version: '1.0',
        run_id: turn.run_id,
        turn_id: turn.turn_id,
        role: turn.assigned_role,
        runtime_id: turn.runtime_id,
        status: 'completed',
        summary: 'Changed a file',
        decisions: [],
        objections: [],
        files_changed: ['src/file-1.js'],
        verification: { status: 'pass', machine_evidence: [{ command: 'true', exit_code: 0 }] },
        artifact: { type: 'workspace' },
        proposed_next_role: 'dev',
      },
    };
  },
};

/** Repositories are made before anything is measured, and removed afterwards: both sides need one, and neither is that. */
export function prepareRepositories(count: number): {
  readonly governedRun: Side;
  readonly bareGit: Side;
  close(): void;
} {
  const ready = Array.from({ length: count }, freshRepository);
  const used: string[] = [];
  const next = () => {
    const repository = ready.shift() ?? freshRepository();
    used.push(repository.folder);
    return repository;
  };
  return {
    governedRun: () => governedRun(next()),
    bareGit: () => bareGit(next()),
    close: () => {
      for (const folder of [...used, ...ready.map((repository) => repository.folder)])
        rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Three turns, each in its own work tree, judged, merged and recorded. */
async function governedRun({ folder, root }: Prepared): Promise<number> {
  const repository = openRepository({
    root,
    keepIn: join(folder, 'keep'),
    clock: systemClock,
    random: nodeRandom,
    hasher: nodeHasher,
  });
  await startRun(repository);
  await runLoop(repository, { adapters, maxTurns: TURNS });
  if (bare(root, 'rev-list', '--count', 'HEAD').trim() !== String(TURNS + 1))
    throw new Error('the turns should be commits');
  return TURNS;
}

/** The git commands that the same turns need: a work tree each, its commit, and the branch moved to it. */
function bareGit({ folder, root }: Prepared): number {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const tree = join(folder, `tree-${turn}`);
    bare(root, 'status', '--porcelain', '--untracked-files=all');
    bare(root, 'worktree', 'add', '-q', '--detach', tree, 'HEAD');
    writeFileSync(join(tree, 'src', 'file-1.js'), `${turn}\n`);
    bare(tree, 'add', '-A');
    bare(tree, 'commit', '-q', '-m', `Turn ${turn}`);
    const commit = bare(tree, 'rev-parse', 'HEAD').trim();
    bare(root, 'merge-tree', '--write-tree', 'HEAD', commit);
    bare(root, 'merge', '-q', '--ff-only', commit);
    bare(root, 'worktree', 'remove', '--force', tree);
  }
  return TURNS;
}
