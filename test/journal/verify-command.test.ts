import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkConsistency } from '../../packages/client/src/verify.ts';
import { runBaton } from '../setup/cli.ts';

let folder: string;
let data: string;
const baton = (args: readonly string[], at = data) => runBaton(args, { env: { BATON_DATA: at } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'baton-verify-'));
  data = join(folder, 'data');
  for (const n of [1, 2, 3]) await baton(['deposit', '--title', `Note ${n}`]);
  await baton(['journal', 'checkpoint', '--out', join(folder, 'kept.checkpoint')]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A copy of the store, changed behind its back. */
async function changed(name: string, sql: string): Promise<string> {
  const copy = join(folder, name);
  await cp(data, copy, { recursive: true });
  const db = new DatabaseSync(join(copy, 'baton.db'));
  db.exec(`pragma foreign_keys = off; ${sql}`);
  db.close();
  return copy;
}

it('exits with 0 for a store that holds, says so, and keeps a checkpoint readable only by its owner', async () => {
  const kept = join(folder, 'kept.checkpoint');
  expect((await stat(kept)).mode & 0o777).toBe(0o600);
  const printed = await baton(['journal', 'checkpoint']);
  expect(printed.stdout).toBe(await readFile(kept, 'utf8'));
  const ran = await baton(['journal', 'verify', '--checkpoint', kept]);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toContain('The journal holds.');
  expect(ran.stdout).toContain('1 kept checkpoints compared');
});

it('exits with 1 for one that does not, and names the first fault of each kind with event, leaf and chain', async () => {
  const tampered = await changed('payloads', `update events set payload = '{"forged":true}'`);
  const ran = await baton(['journal', 'verify'], tampered);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toMatch(/does NOT hold: \d+ faults/);
  expect(ran.stdout.match(/hash_mismatch/g)).toHaveLength(1);
  expect(ran.stdout).toMatch(/event [0-9a-f-]{36}, leaf 0, chain [0-9a-f-]{36}, sequence 0/);
  const json = await baton(['journal', 'verify', '--events', '--json'], tampered);
  expect(json.code).toBe(1);
  const report = JSON.parse(json.stdout);
  expect(report).toMatchObject({ valid: false, state: null });
  expect(report.faults).toHaveLength(report.fault_count);
  expect(report.faults[0]).toMatchObject({ kind: 'hash_mismatch', leaf: 0, table: 'events' });
});

it('exits with 1 also where all checkpoints are gone, so that the store cannot be signed any more', async () => {
  const ran = await baton(['journal', 'verify'], await changed('unsigned', 'delete from checkpoints'));
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain('checkpoint_missing');
});

it('shows no terminal what a forger put into the store to be shown', async () => {
  const cleared = '\u001b[2J\u001b[31mall is well';
  const tampered = await changed('escape', `update events set event_type = 'a.b${cleared}' where leaf = 1`);
  const ran = await baton(['journal', 'verify'], tampered);
  expect(ran.code).toBe(1);
  expect(ran.stdout).not.toContain('\u001b');
});

it('exits with 1 when a kept checkpoint does not fit, also from a folder', async () => {
  const cut = await changed(
    'cut',
    `delete from checkpoints; delete from events where leaf >= 1; update journal_head set next_leaf = 1, signed_size = 0`,
  );
  const kept = join(folder, 'folder');
  const { stdout } = await baton(['journal', 'checkpoint', '--json', '--out', join(folder, 'one')]);
  const { size, note } = JSON.parse(stdout);
  await cp(join(folder, 'one'), join(kept, `${String(size).padStart(15, '0')}.checkpoint`));
  await writeFile(join(kept, 'README'), 'not a checkpoint');
  expect(note).toBe(await readFile(join(folder, 'one'), 'utf8'));
  const ran = await baton(['journal', 'verify', '--checkpoint', kept], cut);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain('kept_cut');
  expect(await baton(['journal', 'verify', '--checkpoint', kept])).toMatchObject({ code: 0 });
});

it('exits with 2 when it could not look: no file, no key, no store, no server', async () => {
  const missing = await baton(['journal', 'verify', '--checkpoint', join(folder, 'nowhere')]);
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  const kept = ['--checkpoint', join(folder, 'kept.checkpoint')];
  expect(await baton(['journal', 'verify', ...kept, '--key', 'nobody'])).toMatchObject({
    code: 2,
    stdout: '',
  });
  const nobody = await runBaton(['journal', 'verify'], {
    env: { BATON_DATA: join(folder, 'none'), BATON_URL: 'http://127.0.0.1:9', BATON_TOKEN: 'x' },
  });
  expect(nobody).toMatchObject({ code: 2, stdout: '' });
  const noStore = await runBaton(['journal', 'verify'], {
    env: { BATON_DATA: data, BATON_DATABASE_URL: `sqlite:${join(data, 'owner.key', 'no.db')}` },
  });
  expect(noStore).toMatchObject({ code: 2, stdout: '' });
});

it('hands out a file that shows a third party offline that the journal only grew since a kept checkpoint', async () => {
  const kept = join(folder, 'kept.checkpoint');
  const proof = join(folder, 'grew.json');
  await baton(['deposit', '--title', 'One more']);
  expect(await baton(['journal', 'consistency', kept, '--out', proof])).toMatchObject({ code: 0 });
  expect((await stat(proof)).mode & 0o777).toBe(0o600);
  const offline = { env: { BATON_DATA: join(folder, 'none'), BATON_URL: 'http://127.0.0.1:9' } };
  const check = (...args: string[]) => runBaton(['trace', 'check-proof', ...args], offline);
  const key = (await readFile(join(data, 'journal.pub'), 'utf8')).trim();
  expect(await check(proof, '--key', key, '--checkpoint', kept)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^valid: the first \d+ of \d+ events .* the key you gave/),
  });
  const file = JSON.parse(await readFile(proof, 'utf8'));
  const newest = join(folder, 'newest.checkpoint');
  await writeFile(newest, file.second);
  expect(await check(proof, '--checkpoint', newest)).toMatchObject({
    code: 6,
    stdout: expect.stringContaining('another checkpoint than the one'),
  });
  const FORGERIES: [object, RegExp][] = [
    [{ path: [...file.path, file.path[0]] }, /does not continue/],
    [{ path: file.path.slice(1) }, /does not continue/],
    [{ path: ['00'] }, /something else than hashes/],
    [{ first: file.second, second: file.first }, /signs \d+ events, the earlier/],
    [{ first: file.first.replace(/^\d+$/m, '1') }, /first checkpoint/],
    [{ second: file.second.replace(/^\d+$/m, '1') }, /second checkpoint/],
    [{ verifier_key: 'nobody' }, /./],
    [{ format: 'baton-consistency/2' }, /./],
  ];
  for (const [change, message] of FORGERIES) {
    const { valid, error } = await checkConsistency(JSON.stringify({ ...file, ...change }));
    expect(valid).toBe(false);
    expect(error?.message).toMatch(message);
  }
  const rewritten = await changed(
    'rewritten',
    'delete from checkpoints; delete from events where leaf >= 1; update journal_head set next_leaf = 1, signed_size = 0',
  );
  expect(await baton(['journal', 'consistency', kept], rewritten)).toMatchObject({ code: 6, stdout: '' });
});
