import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../platform/testing.ts';
import { releaseLease } from '../repository/leases.ts';
import { runtimeAdapters } from '../runtimes/adapters.ts';
import { callRuntime, leaseOf } from '../runtimes/call-runtime.ts';
import type { TestRepository } from '../testing.ts';
import { assign } from '../turns/assign.ts';
import { beginTurn } from '../turns/dispatch.ts';
import { runLoop } from './loop.ts';
import { startRun } from './start.ts';
import { plannedRepository, startsOf } from './testing.ts';
import { verifyRun } from './verify.ts';

const LONG = process.env.BATON_PROVE === '1';
const SCHEDULES = LONG ? 200 : 2;
const KILLS = LONG ? 100 : 2;

describe('turns side by side, in any order', () => {
  let repo: TestRepository | undefined;
  afterEach(() => repo?.remove());

  it.each(Array.from({ length: SCHEDULES }, (_, seed) => seed + 1))(
    'are accepted with their own bytes, and nothing of what was sent back is in the branch (%i)',
    async (seed) => {
      const random = seededRandom(seed);
      const under = (most: number) => (random.bytes(1)[0] ?? 0) % most;
      const roles = ['one', 'two', 'three', 'four'].slice(0, 2 + under(3));
      const plans = Object.fromEntries(
        roles.map((role) => [
          role,
          {
            files: [`src/${role}.js`, `src/${role}-2.js`, ...(under(4) === 0 ? ['src/shared.js'] : [])],
            waits: under(200),
            refused: under(3) === 0,
          },
        ]),
      );
      repo = plannedRepository(plans);
      const repository = repo.open();
      await startRun(repository);
      const most = roles.length * (LONG ? 3 : 2);
      for (let round = 0; round < 3; round += 1) {
        await runLoop(repository, { adapters: runtimeAdapters(), maxTurns: most });
        if ((await repository.snapshot()).history.length >= roles.length) break;
      }
      const { history } = await repository.snapshot();
      expect(new Set(history.map((row) => row.role)).size).toBe(roles.length);
      for (const row of history) {
        const { commit } = row.observed_artifact as { commit: string };
        for (const path of row.files_changed) {
          expect(repo.git('show', `${commit}:${path}`)).toBe(`${row.role} ${row.turn_id} ${row.attempt}\n`);
        }
      }
      expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD')).not.toContain('undeclared');
      expect(repo.git('status', '--porcelain')).toBe('');
      expect(await verifyRun(repository)).toMatchObject({ ok: true });
      repo.remove();
    },
  );
});

describe('an agent that ends while it is being taken over', () => {
  it('is not started again', async () => {
    const repo = plannedRepository({ one: { files: ['src/one.js'], waits: 0, refused: false } });
    const repository = repo.open();
    const options = { adapters: runtimeAdapters() };
    await startRun(repository);
    const { turn } = await assign(repository);
    const first = await beginTurn(repository, turn.turn_id);
    await callRuntime(repository, turn.turn_id, options, first);
    await releaseLease(repository.keep, first);
    // As its successor has it that saw the agent at work a moment ago.
    const taken = await leaseOf(repository, turn.turn_id);
    expect(taken.agent).not.toBeNull();
    expect(await callRuntime(repository, turn.turn_id, options, taken)).toEqual({ kind: 'staged' });
    expect(startsOf(repo)).toEqual([`${turn.turn_id} 1`]);
    repo.remove();
  });
});

describe('an orchestrator that is killed', () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'baton-killed-'));
    program = join(folder, 'orchestrate.mjs');
    await build({
      entryPoints: [new URL('./orchestrate.ts', import.meta.url).pathname],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      logLevel: 'silent',
      external: ['@modelcontextprotocol/*'],
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(Array.from({ length: KILLS }, (_, at) => at))(
    'is followed by one that starts no agent twice and loses no turn (%i)',
    async (at) => {
      const random = seededRandom(at + 1);
      const wait = ((random.bytes(1)[0] ?? 0) / 255) * 1200;
      const repo = plannedRepository({ one: { files: ['src/one.js'], waits: 900, refused: false } });
      try {
        await startRun(repo.open());
        const orchestrate = () => {
          const child = spawn(process.execPath, [program, repo.root, repo.keepIn], { stdio: 'ignore' });
          // Listened for from the start: on a fast machine it has ended before it would be killed.
          return { child, ended: new Promise((resolve) => child.on('close', resolve)) };
        };
        const first = orchestrate();
        await pause(300 + wait);
        first.child.kill('SIGKILL');
        await first.ended;
        await orchestrate().ended;
        expect(startsOf(repo)).toHaveLength(1);
        expect((await repo.open().snapshot()).history).toHaveLength(1);
        expect(repo.rows('.agentxchain/history.jsonl')).toHaveLength(1);
        expect(await verifyRun(repo.open())).toMatchObject({ ok: true });
      } finally {
        repo.remove();
      }
    },
  );
});
