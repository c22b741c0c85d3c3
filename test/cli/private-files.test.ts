import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batonBinary } from '../setup/cli.ts';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'baton-private-'));
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

async function runWith(umask: string, dataDir: string, ...args: string[]) {
  const command = `umask ${umask}; exec "$0" "$@"`;
  const child = spawn('/bin/sh', ['-c', command, process.execPath, await batonBinary(), ...args], {
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', BATON_DATA: dataDir },
    cwd: home,
    timeout: 30_000,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // MCP's input is open for as long as the agent lives.
  if (args[0] !== 'mcp') child.stdin.end();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, stdout, stderr };
}

/** Everything below the folder that somebody else could read. */
async function openTo(folder: string): Promise<string[]> {
  const names = ['.', ...(await readdir(folder, { recursive: true }))];
  const found: string[] = [];
  for (const name of names) if (((await stat(join(folder, name))).mode & 0o077) !== 0) found.push(name);
  return found;
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('what commands write is for its user alone', () => {
  for (const umask of ['022', '000']) {
    it(`with umask ${umask}: the data directory, exports, backups, proofs, keys and packages`, async () => {
      const place = join(home, umask);
      await mkdir(place, { mode: 0o700 });
      const data = join(place, 'data');
      const baton = async (...args: string[]) => {
        const ran = await runWith(umask, data, ...args);
        expect([args, ran.code, ran.stderr]).toEqual([args, 0, expect.any(String)]);
        return ran.stdout;
      };
      const deposited = await baton('deposit', '--title', 'Moved the cache', '--json');
      const id = /pkg_\w+/.exec(deposited)?.[0] ?? '';
      await baton('export', join(place, 'export'));
      await baton('backup', join(place, 'copy.db'));
      await baton('why', id, '--proof', join(place, 'proof.json'));
      await baton('attest', id);
      await baton('keys', 'renew-owner');
      expect(await openTo(place)).toEqual([]);
      const written = await readdir(place, { recursive: true });
      for (const name of ['data/owner.key', 'data/journal.key', 'data/journal.pub', 'data/attest.key'])
        expect(written).toContain(name);
      for (const name of ['export/manifest.json', 'export/packages.ndjson', 'copy.db', 'proof.json'])
        expect(written).toContain(name);
    }, 120_000);
  }

  it('also where a file was there before, and could be read by anyone', async () => {
    const data = join(home, 'again');
    const file = join(home, 'old.json');
    await writeFile(file, 'old', { mode: 0o644 });
    const { stdout } = await runWith('022', data, 'deposit', '--title', 'Moved the cache', '--json');
    const id = /pkg_\w+/.exec(stdout)?.[0] ?? '';
    expect(await runWith('022', data, 'why', id, '--proof', file)).toMatchObject({ code: 0 });
    expect(await modeOf(file)).toBe('600');
    expect(await readFile(file, 'utf8')).not.toBe('old');
  });

  it('closes a data directory of before that others could read', async () => {
    const data = join(home, 'wide');
    await runWith('022', data, 'whoami');
    await chmod(data, 0o755);
    await chmod(join(data, 'baton.db'), 0o644);
    await chmod(join(data, 'journal.pub'), 0o644);
    expect(await runWith('022', data, 'whoami')).toMatchObject({ code: 0 });
    expect(await openTo(data)).toEqual([]);
  });

  it('closes no folder that holds other things, and refuses it instead', async () => {
    const shared = join(home, 'shared');
    await mkdir(shared);
    await chmod(shared, 0o755);
    await writeFile(join(shared, 'somebody.txt'), 'theirs');
    const { code, stderr } = await runWith('022', shared, 'whoami');
    expect(code).not.toBe(0);
    expect(stderr).toContain('chmod 700');
    expect(await modeOf(shared)).toBe('755');
    expect(await readdir(shared)).toEqual(['somebody.txt']);
  });
});

describe('a data directory that cannot be made', () => {
  for (const command of [['mcp'], ['whoami'], ['up', '--port', '0']]) {
    it(`is said, and ends \`baton ${command.join(' ')}\``, async () => {
      const { code, stderr } = await runWith('022', '/proc/baton/data', ...command);
      expect(code).toBeGreaterThan(0);
      expect(stderr).toContain('/proc/baton/data cannot be used');
    });
  }
});
