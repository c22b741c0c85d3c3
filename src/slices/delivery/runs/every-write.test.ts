import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRepository } from '../testing.ts';
import { UNATTACHED } from './attachment.ts';
import { plannedRepository, startsOf } from './testing.ts';
import { verifyRun } from './verify.ts';

/** Every point in the long form, in as many tests; otherwise a few, in one. */
const LONG = process.env.BATON_PROVE === '1';
const STRIDE = LONG ? 20 : 200;
const FIRST = Array.from({ length: LONG ? STRIDE : 1 }, (_, at) => at + 1);

describe('an orchestrator that is stopped at one of its writes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'baton-stopped-'));
    await build({
      entryPoints: ['orchestrate', 'stop-at-write'].map(
        (name) => new URL(`./${name}.ts`, import.meta.url).pathname,
      ),
      bundle: true,
      platform: 'node',
      format: 'esm',
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      logLevel: 'silent',
      external: ['@modelcontextprotocol/*'],
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function orchestrate(repo: TestRepository, env: Readonly<Record<string, string>>) {
    const preload = join(folder, 'stop-at-write.mjs');
    const child = spawn(
      process.execPath,
      ['--import', preload, join(folder, 'orchestrate.mjs'), repo.root, repo.keepIn],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } },
    );
    const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
    // Programs that it started outlive it and hold the pipe: nobody waits for that.
    const said = text(child.stderr).catch(() => '');
    const how = await ended;
    return how === 'SIGKILL' ? how : `${how} ${await said}`.trim();
  }

  /** The first attempt is refused, the second accepted. */
  const prepared = () => plannedRepository({ one: { files: ['src/one.js'], waits: 50, refused: true } });

  it.each(FIRST)('harms nothing, and the next one finishes it once (from %i)', async (first) => {
    const counted = prepared();
    const list = join(folder, `stops-${first}`);
    expect(await orchestrate(counted, { STOPS: list })).toBe('0');
    counted.remove();
    const stops = readFileSync(list, 'utf8').trim().split('\n');
    expect(stops.length).toBeGreaterThan(100);
    const failures: string[] = [];
    for (let at = first; at <= stops.length; at += STRIDE) {
      const repo = prepared();
      const failed = await isUnharmed(repo, at).then(
        () => undefined,
        (error) =>
          `stopped at ${at} (${stops[at - 1]}): ${error.message}, was ${JSON.stringify(error.actual)}`,
      );
      if (failed !== undefined) failures.push(failed);
      repo.remove();
    }
    expect(failures).toEqual([]);
  });

  async function isUnharmed(repo: TestRepository, at: number): Promise<void> {
    // It may have had to wait less often than the one whose writes were counted, and be done before its last.
    expect(await orchestrate(repo, { STOP_AT: String(at) })).toMatch(/^(SIGKILL|0)$/);
    const { checks } = await verifyRun(repo.open());
    expect(checks.flatMap(({ faults }) => faults)).toEqual([]);
    expect(await orchestrate(repo, {})).toBe('0');
    const [row, ...more] = repo.rows('.agentxchain/history.jsonl');
    expect(more).toEqual([]);
    expect(startsOf(repo)).toEqual([`${row?.turn_id} 1`, `${row?.turn_id} 2`]);
    expect(repo.git('log', '--format=%s').trim().split('\n')).toHaveLength(2);
    expect(repo.git('show', 'HEAD:src/one.js')).toBe(`one ${row?.turn_id} 2\n`);
    expect(repo.git('for-each-ref', 'refs/baton/rejected').trim().split('\n')).toHaveLength(1);
    expect(repo.git('status', '--porcelain')).toBe('');
    const after = await verifyRun(repo.open());
    expect(after.checks.flatMap(({ faults, notes = [] }) => [...faults, ...notes])).toEqual([UNATTACHED]);
  }
});
