import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findServer } from '../../src/app/server-file.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { batonBinary, runBaton } from '../setup/cli.ts';

const PATIENCE = 180_000;

describeOnEachEngine('the binary, started with `baton up`', (open) => {
  let dataDir: string;
  let server: ChildProcess;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'baton-binary-'));
    server = spawn(process.execPath, [await batonBinary(), 'up', '--port', '0'], {
      env: {
        PATH: process.env.PATH ?? '',
        BATON_DATA: dataDir,
        BATON_DATABASE_URL: open.urlOf(await open([])),
        BATON_LOG: 'fatal',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }, PATIENCE);
  afterAll(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  });

  it(
    'passes `baton conformance agentic` at L3 with exit code 0, and fails it for a stranger',
    async () => {
      await expect.poll(() => findServer(dataDir)?.pid).toBe(server.pid);
      const { url } = findServer(dataDir) ?? { url: '' };
      const suite = (token: string) =>
        runBaton([
          'conformance',
          'agentic',
          '--url',
          url,
          '--token',
          token,
          '--level',
          'L3',
          '--report',
          'json',
        ]);
      const ran = await suite((await readFile(join(dataDir, 'owner.key'), 'utf8')).trim());
      expect([ran.stderr, ran.code]).toEqual(['', 0]);
      const report = JSON.parse(ran.stdout);
      expect(report).toMatchObject({ reached: 'L3', passed: true });
      expect(report.results.filter(({ outcome }: { outcome: string }) => outcome === 'fail')).toEqual([]);
      expect((await suite('baton_0000000000000000_AAAA')).code).not.toBe(0);
    },
    PATIENCE,
  );
});
