/**
 * Loaded before a program of the tests: ends the process, as a kill does, at the write that STOP_AT counts to. Each change
 * to a file is such a point, and so is the middle of what it writes; each program that it runs is one before it starts and
 * one as soon as it runs, and goes on without us. Without STOP_AT the points are only written down, in STOPS.
 */
import children from 'node:child_process';
import { appendFileSync, writeFileSync, writeSync } from 'node:fs';
import files, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

type Call = (this: unknown, ...args: never[]) => unknown;
type Patched = Record<string, Call>;

const stopAt = Number(process.env.STOP_AT ?? 0);
const stops = process.env.STOPS;
let point = 0;

function reach(name: string, torn: () => void = () => {}): void {
  point += 1;
  if (stops !== undefined) appendFileSync(stops, `${name}\n`);
  if (point !== stopAt) return;
  torn();
  process.kill(process.pid, 'SIGKILL');
}

function before(owner: Patched, name: string, points: (self: unknown, args: unknown[]) => void): void {
  const call = owner[name] as Call;
  owner[name] = function patched(this: unknown, ...args: never[]) {
    points(this, args);
    return call.apply(this, args);
  };
}

const half = (data: unknown) => {
  const bytes = Buffer.from(data as string);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
};

const module = files as unknown as Patched;
for (const name of ['rename', 'rm', 'mkdir', 'link', 'symlink', 'copyFile', 'cp', 'unlink', 'mkdtemp'])
  before(module, name, (_self, [path]) => reach(`${name} ${path}`));
before(module, 'open', (_self, [path, flags]) => {
  if (flags !== 'r') reach(`open ${path}`);
});
for (const [name, flag] of [
  ['writeFile', 'w'],
  ['appendFile', 'a'],
] as const) {
  before(module, name, (_self, [path, data, options]) => {
    reach(`${name} ${path}`);
    const wanted = (options as { flag?: string } | undefined)?.flag ?? flag;
    reach(`half of ${name} ${path}`, () => writeFileSync(path as string, half(data), { flag: wanted }));
  });
}

const probe = await files.open(process.execPath, 'r');
const handles = Object.getPrototypeOf(probe) as Patched;
await probe.close();
before(handles, 'truncate', () => reach('truncate'));
before(handles, 'writeFile', (self, [data]) =>
  reach('half of a write', () => writeSync((self as FileHandle).fd, half(data))),
);

const READS = /rev-parse|rev-list|status|diff-|cat-file|ls-|merge-base| -n |config --get/;
for (const name of ['spawn', 'execFile']) {
  const start = (children as unknown as Patched)[name] as Call;
  (children as unknown as Patched)[name] = function patched(this: unknown, ...args: never[]) {
    const [program, words = []] = args as unknown as [string, (readonly string[])?];
    const line = `${program} ${words.filter((word) => /^[-a-z]+$/.test(word)).join(' ')} `;
    if (READS.test(line)) return start.apply(this, args);
    reach(`before ${line}`);
    const child = start.apply(this, args);
    reach(`during ${line}`);
    return child;
  };
}
syncBuiltinESMExports();
