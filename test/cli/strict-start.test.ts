import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WRONG_ALONE, WRONG_TOGETHER } from '../../src/app/testing.ts';
import { batonBinary, runBaton } from '../setup/cli.ts';
import { startKillableServer } from '../setup/killable-server.ts';

const PROVE = process.env.BATON_PROVE === '1';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-strict-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const up = (env: Record<string, string>) =>
  runBaton(['up', '--port', '0'], { env: { HOME: folder, BATON_DATA: join(folder, 'data'), ...env } });

it('a wrong, half-set or contradictory setting ends the start with its name and exit code 2', async () => {
  const ran = await up({ BATON_RETENTION_DAYS: 'thirty', BATON_TLS_CERT: 'c.pem', BATON_EMBEDDER: 'olama' });
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toMatch(/^settings_invalid: /);
  for (const name of ['BATON_RETENTION_DAYS', 'BATON_TLS_CERT', 'BATON_EMBEDDER']) {
    expect(ran.stderr).toContain(name);
  }
  expect(ran.stderr).not.toMatch(/\n\s+at /);
});

// Half a minute of processes; the short form tries the first of each kind.
it.each([
  ...WRONG_ALONE.slice(0, PROVE ? undefined : 1).map(([name, value]) => ({ [name]: value })),
  ...WRONG_TOGETHER.slice(0, PROVE ? undefined : 1).map(([env]) => env),
])('ends the start with its name and exit code 2: %j', async (env) => {
  const ran = await up(env);
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toMatch(/^settings_invalid: /);
  expect(ran.stderr).toContain(Object.keys(env)[0]);
  expect(ran.stderr).not.toMatch(/\n\s+at /);
});

it('a certificate that cannot be read ends the start with its name', async () => {
  const ran = await up({ BATON_TLS_CERT: '/nowhere/c.pem', BATON_TLS_KEY: '/nowhere/k.pem' });
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('tls_unusable') });
});

it('a misspelled setting is told with the one that was meant, and the doctor fails for it', async () => {
  const ran = await runBaton(['doctor', '--json'], {
    env: { HOME: folder, BATON_DATA: join(folder, 'doctor'), BATON_RETENTION_DAY: '30' },
    cwd: folder,
  });
  const { checks } = JSON.parse(ran.stdout) as { checks: { name: string; state: string; detail: string }[] };
  expect(checks.find(({ name }) => name === 'settings')).toMatchObject({
    state: 'fail',
    detail: expect.stringContaining('did you mean BATON_RETENTION_DAYS?'),
  });
  // That nothing is there yet is no failure.
  expect(checks.filter(({ state }) => state === 'fail')).toHaveLength(1);
  expect(ran.code).toBe(1);
});

it('a server without the owner key of its store says so and ends', async () => {
  const dataDir = join(folder, 'keyless');
  const server = await startKillableServer(dataDir);
  await server.kill();
  await rm(join(dataDir, 'owner.key'));
  const ran = await up({ BATON_DATA: dataDir });
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('owner_key_lost') });
});

it.skipIf(process.platform === 'win32')('a process that may open too few files says so', async () => {
  const child = spawn(
    'sh',
    ['-c', `ulimit -n 64; exec "$0" "$1" up --port 0`, process.execPath, await batonBinary()],
    {
      env: { PATH: process.env.PATH ?? '', HOME: folder, BATON_DATA: join(folder, 'few') },
    },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(stderr).toMatch(/^too_few_files: /);
  expect(stderr).not.toContain('    at ');
  expect(code).toBe(1);
});
