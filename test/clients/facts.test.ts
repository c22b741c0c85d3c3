/**
 * What each client makes of a hook, tried with a hook of the tests' own. Baton's hooks and the table in docs/hooks.md
 * rest on these facts; a client's new version that changes one shows here.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Step } from './model/script.ts';
import { codex } from './programs/codex.ts';
import type { ClientName } from './programs/program.ts';
import { clients, installedOn, type Place, proving } from './proving.ts';
import { runSession } from './session.ts';

/** Whether a call still runs after what its hook did, when nobody is there to be asked. */
const RUNS: Readonly<Record<ClientName, Readonly<Record<string, boolean>>>> = {
  'claude-code': { deny: false, 'exit-2': false, ask: false, 'exit-1': true, hang: true, garbage: true },
  codex: { deny: false, 'exit-2': false, ask: true, 'exit-1': true, hang: true, garbage: true },
  gemini: { deny: false, 'exit-2': false, ask: true, 'exit-1': true, hang: true, garbage: true },
  // A plugin, not programs: all but a thrown error is the plugin's own affair.
  opencode: { deny: false },
};

describe.runIf(proving).each(clients)('$name', (client) => {
  let place: Place;
  let repository: string;
  let log: string;
  const file = (name: string) => join(repository, name);
  const logged = () =>
    readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const run = (script: readonly Step[], more: { prompt?: string; resume?: boolean } = {}) =>
    runSession(client, place.folder!, place.machine, {
      prompt: 'do the work',
      repository,
      script,
      unreviewed: true,
      ...more,
    });

  beforeAll(async () => {
    place = await installedOn(client);
    repository = await place.machine.repository('shop');
    log = join(place.machine.home, 'hooks.log');
    const args = [join(import.meta.dirname, 'own-hook.mjs'), log];
    await client.hook(place.machine, repository, { program: process.execPath, args, timeoutSeconds: 5 });
  });
  beforeEach(({ skip }) => skip(place.folder === undefined, place.missing));
  afterAll(() => place.machine.leave());

  it('runs a scripted session with no person and no network', async () => {
    const { code, turns, left } = await run([
      { shell: 'echo made > made.txt' },
      { write: file('written.txt'), content: 'written\n' },
      { say: 'done' },
    ]);
    expect({ code, left, turns: turns.length }).toEqual({ code: 0, left: 0, turns: 3 });
    expect(readFileSync(file('made.txt'), 'utf8')).toBe('made\n');
    expect(existsSync(file('written.txt'))).toBe(true);
  });

  it('tells the hook its session, its folder and the prompt, and shows the model what the hook answers', async () => {
    const { turns } = await run([{ shell: 'true' }, { say: 'done' }], { prompt: 'mend the basket' });
    const messages = logged();
    const ids = new Set(messages.map(({ session_id }) => session_id));
    expect(ids.has(undefined)).toBe(false);
    expect(messages.every(({ cwd }) => cwd === undefined || cwd === repository)).toBe(true);
    expect(messages.some(({ prompt }) => String(prompt).includes('mend the basket'))).toBe(true);
    expect(turns[0]).toContain('ORIENTED-BY-');
    if (client.name !== 'opencode') expect(turns[0]).toContain('BEARS-ON-THE-PROMPT');
  });

  it.each(Object.entries(RUNS[client.name]))('after %s a call runs: %s', async (word, runs) => {
    const { code, left } = await run([{ shell: `echo ran > by-${word}.txt` }, { say: 'done' }]);
    expect({ code, left }).toEqual({ code: 0, left: 0 });
    expect(existsSync(file(`by-${word}.txt`))).toBe(runs);
  });

  it('does not write a file whose write was denied', async () => {
    await run([{ write: file('deny.txt'), content: 'no\n' }, { say: 'done' }]);
    expect(existsSync(file('deny.txt'))).toBe(false);
  });

  it('shows the model why', async () => {
    const { turns } = await run([{ shell: 'echo deny' }, { say: 'done' }]);
    expect(turns.at(-1)).toContain('rule R1 says no');
  });

  // Gemini CLI compresses without telling anybody: docs/hooks.md says what follows from that.
  it.skipIf(client.name === 'gemini')('orients the model again after it compacted', async () => {
    const { turns, left } = await run([
      { shell: 'echo first' },
      { shell: 'echo second', tokens: client.fullContext },
      { shell: 'echo third' },
      { say: 'done' },
    ]);
    expect(left).toBe(0);
    expect(turns[2]).toContain('summed up');
    expect(turns[2]).toContain(client.name === 'opencode' ? 'ORIENTED-BY-request' : 'ORIENTED-BY-compact');
  });
});

describe.runIf(proving && clients.includes(codex))('codex', () => {
  let place: Place;
  let repository: string;
  beforeAll(async () => {
    place = await installedOn(codex);
    repository = await place.machine.repository('shop');
    const args = [join(import.meta.dirname, 'own-hook.mjs'), join(place.machine.home, 'hooks.log')];
    await codex.hook(place.machine, repository, { program: process.execPath, args, timeoutSeconds: 5 });
  });
  beforeEach(({ skip }) => skip(place.folder === undefined, place.missing));
  afterAll(() => place.machine.leave());

  it('runs no hook that nobody has reviewed, and says nothing', async () => {
    const script = [{ shell: 'echo deny > unreviewed.txt' }, { say: 'done' }];
    const { code } = await runSession(codex, place.folder!, place.machine, {
      prompt: 'go',
      repository,
      script,
    });
    expect(code).toBe(0);
    expect(existsSync(join(repository, 'unreviewed.txt'))).toBe(true);
  });

  it('tells no hook what is typed into a shell that already runs', async () => {
    const typed = { session_id: 0, chars: 'echo deny > typed.txt\n', yield_time_ms: 2_000 };
    const script: Step[] = [
      { tool: 'exec_command', input: { cmd: 'bash', tty: true, yield_time_ms: 1_000 } },
      { tool: 'write_stdin', input: typed },
      { say: 'done' },
    ];
    await runSession(codex, place.folder!, place.machine, {
      prompt: 'go',
      repository,
      script,
      unreviewed: true,
      before: (_index, body) => {
        typed.session_id = Number(/session ID (\d+)/.exec(body)?.[1] ?? 0);
      },
    });
    expect(existsSync(join(repository, 'typed.txt'))).toBe(true);
  });
});
