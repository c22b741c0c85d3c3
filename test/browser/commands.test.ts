import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';

const SOURCES = resolve(import.meta.dirname, '../../web/src');
const SHOWN = /npx baton-ledger ([a-z]+(?: [a-z][a-z-]*)?)([^\n`]*)/g;

interface Shown {
  readonly verb: string;
  readonly options: readonly string[];
}

/** Every command that a page of the dashboard tells somebody to type. */
async function shownCommands(): Promise<Shown[]> {
  const files = (await readdir(SOURCES, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(SOURCES, name), 'utf8')));
  const found = texts.flatMap((text) => [...text.matchAll(SHOWN)]);
  return found.map(([, verb = '', rest = '']) => ({ verb, options: rest.match(/--[a-z][a-z-]*/g) ?? [] }));
}

it('tells nobody to type a command or an option that does not exist', async () => {
  const commands = await shownCommands();
  expect(commands.length).toBeGreaterThan(15);
  for (const verb of new Set(commands.map((command) => command.verb))) {
    const { code, stdout } = await runBaton([...verb.split(' '), '--help']);
    const options = commands.filter((command) => command.verb === verb).flatMap((command) => command.options);
    const missing = options.filter((option) => !stdout.includes(option));
    expect({ verb, code, usage: stdout.includes(`Usage: baton ${verb}`), missing }).toEqual({
      verb,
      code: 0,
      usage: true,
      missing: [],
    });
  }
});
