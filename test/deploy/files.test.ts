import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readSettings, unknownIn } from '../../src/app/settings.ts';

const run = promisify(execFile);
const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8');

/** `NAME: value` of the compose file and `ENV NAME=value` of the image: what the program is started with. */
function variablesIn(text: string): Record<string, string> {
  const found = text.matchAll(/\b(BATON_[A-Z_]+)[=:]\s*"?([^\s"\\]+)"?/g);
  return Object.fromEntries([...found].map(([, name, value]) => [name!, value!]));
}

describe('what deploy/ starts Baton with', () => {
  it.each(['Dockerfile', 'compose.yaml', 'baton.service'])('is settings that there are: %s', (name) => {
    const env = variablesIn(read(name));
    expect(Object.keys(env).length).toBeGreaterThan(0);
    expect(unknownIn(env)).toEqual([]);
    const plain = Object.entries(env).filter(([, value]) => !value.includes('$'));
    expect(() => readSettings(Object.fromEntries(plain))).not.toThrow();
  });

  it('runs as nobody of importance, on a file system that it cannot write to', () => {
    expect(read('Dockerfile')).toMatch(/^USER node$/m);
    expect(read('compose.yaml')).toMatch(/read_only: true[\s\S]*cap_drop:\s+- ALL/);
    expect(read('baton.service')).toMatch(/^User=baton$/m);
    expect(read('baton.service')).toMatch(/^ProtectSystem=strict$/m);
  });

  it('gives a process longer to stop than it drains', () => {
    const { drainSeconds } = readSettings({});
    const [, unit] = /^TimeoutStopSec=(\d+)$/m.exec(read('baton.service')) ?? [];
    const [, compose] = /stop_grace_period: (\d+)s/.exec(read('compose.yaml')) ?? [];
    for (const seconds of [unit, compose]) expect(Number(seconds)).toBeGreaterThan(drainSeconds + 10);
  });

  it.skipIf(!existsSync('/usr/bin/systemd-analyze'))('is a unit that systemd reads', async () => {
    const { stderr } = await run('systemd-analyze', ['verify', '--man=no', 'deploy/baton.service']).catch(
      (error: { stderr: string }) => error,
    );
    // A user or a program that this machine lacks is no fault of the unit.
    expect(stderr).not.toMatch(/Unknown (key|section|lvalue)|Failed to parse|Invalid/i);
  });

  it('copies into the image nothing that is built or installed outside it', () => {
    expect(read('Dockerfile.dockerignore')).toMatch(/node_modules/);
  });
});

it('the calculation of docs/scale.md prints the figures of its table', async () => {
  const { stdout } = await run(process.execPath, ['docs/scale.mjs']);
  const page = readFileSync('docs/scale.md', 'utf8');
  for (const [, shards, , , bytes, , hashes] of page.matchAll(
    /^\| ([\d,]+) \| ([\d,]+) \| ([\d.]+) \| ([\d,]+) \| ([\d,]+) \| (\d+) \|$/gm,
  )) {
    const plain = (text: string | undefined) => (text ?? '').replaceAll(',', '');
    const row = stdout.split('\n').find((line) => line.split('│')[2]?.trim() === plain(shards)) ?? '';
    const cells = row.split('│').map((cell) => cell.trim());
    expect([cells[5], cells[8]], shards).toEqual([plain(bytes), hashes]);
  }
});
