/**
 * What the starter Atlas denies and asks about, with real clients: the file system is the judge, not what a client
 * says it did. Whatever is denied here would only leave a mark in the tests' own folder if it ran after all.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findServer } from '../../src/app/server-file.ts';
import { batonBinary } from '../setup/cli.ts';
import { batonJson, runBatonIn } from './baton.ts';
import type { Step } from './model/script.ts';
import type { BeforeStep } from './model/scripted-model.ts';
import { clients, initialisedOn, proving } from './proving.ts';
import { runSession } from './session.ts';

describe.runIf(proving).each(clients)('$name, after `baton guard on`', (client) => {
  let place: Awaited<ReturnType<typeof initialisedOn>>;
  let remote: string;
  const here = (name: string) => join(place.repository, name);
  const outside = (name: string) => join(place.machine.home, name);
  /** There is no such file: a removal that ran would only leave its mark. */
  const absent = () => outside('no-such-file.txt');
  const run = (script: readonly Step[], before?: BeforeStep) =>
    runSession(client, place.folder!, place.machine, {
      prompt: 'go',
      repository: place.repository,
      script,
      ...(before && { before }),
    });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: place.repository, env: place.machine.env, encoding: 'utf8' });

  beforeAll(async () => {
    place = await initialisedOn(client);
    remote = outside('remote.git');
    git('init', '-q', '--bare', remote);
    git('remote', 'add', 'origin', remote);
    // A push that runs leaves its mark here, and git gives it up before anything is sent.
    const mark = `#!/bin/sh\ntouch '${here('pushed.txt')}'\nexit 1\n`;
    writeFileSync(here('.git/hooks/pre-push'), mark, { mode: 0o755 });
    await mkdir(outside('.ssh'));
    writeFileSync(outside('.ssh/id_ed25519'), 'the person’s key\n');
    const { code, stderr } = await runBatonIn(place.machine, place.repository, 'guard', 'on', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
  beforeEach(({ skip }) => skip(place.folder === undefined, place.missing));
  afterAll(() => place.machine.leave());

  it('executes no call that the rules deny, however it is written, and all that they allow', async () => {
    const rules = readFileSync(here('.baton/atlas/atlas.json'), 'utf8');
    const denied: Step[] = [
      { write: here('.baton/atlas/marker.json'), content: '{}\n' },
      { shell: 'echo {} > .baton/atlas/marker.json' },
      { shell: 'cd .baton/atlas && touch marker.json' },
      { shell: `rm ${absent()}; touch removed.txt` },
      { shell: `true && rm ${absent()} || touch removed.txt` },
      { shell: `bash -c "rm ${absent()}; touch removed.txt"` },
      { shell: `env X=1 rm ${absent()} || touch removed.txt` },
      { shell: `cat ${outside('.ssh/id_ed25519')} > key.txt` },
      { read: outside('.ssh/id_ed25519') },
      { shell: `cat ${outside('.ssh/id_ed25519')} | tee key.txt` },
      { shell: 'git push --force origin main' },
      { shell: 'baton guard off' },
    ];
    const { code, left, turns } = await run([
      ...denied,
      { shell: 'echo fine > fine.txt' },
      { write: here('written.txt'), content: 'fine\n' },
      { say: 'done' },
    ]);
    expect({ code, left }).toEqual({ code: 0, left: 0 });
    expect(readFileSync(here('.baton/atlas/atlas.json'), 'utf8')).toBe(rules);
    for (const mark of ['.baton/atlas/marker.json', 'removed.txt', 'key.txt', 'pushed.txt'])
      expect({ mark, there: existsSync(here(mark)) }).toEqual({ mark, there: false });
    expect(turns.at(-1)).not.toContain('the person’s key');
    expect(await batonJson(place.machine, place.repository, 'guard')).toMatchObject({
      rules: { mode: 'enforce' },
    });
    expect(existsSync(here('fine.txt'))).toBe(true);
    expect(existsSync(here('written.txt'))).toBe(true);
    expect(turns.at(-1)).toContain('own-rules');
  });

  it('runs a call that it asks about only after a person has answered', async () => {
    const push = { shell: 'git push origin main' };
    const seen: boolean[] = [];
    const { code, left, turns } = await run([push, push, { say: 'done' }], async (index) => {
      if (index !== 1) return;
      seen.push(existsSync(here('pushed.txt')));
      const { items } = await batonJson<{ items: { id: string }[] }>(
        place.machine,
        place.repository,
        'inbox',
        'list',
      );
      for (const { id } of items)
        await batonJson(place.machine, place.repository, 'inbox', 'approve', id, '--yes');
      expect(items).toHaveLength(1);
    });
    expect({ code, left, seen }).toEqual({ code: 0, left: 0, seen: [false] });
    expect(turns[1]).toContain('Nobody has answered; this is not a refusal.');
    expect(existsSync(here('pushed.txt')), turns.at(-1)?.slice(-4_000)).toBe(true);
    rmSync(here('pushed.txt'));
  });

  describe('with the server killed in the middle', () => {
    let kill = () => {};
    afterEach(() => kill());

    it('goes on, and still executes nothing that the rules deny', async () => {
      const data = join(place.machine.home, '.baton');
      const server = spawn(process.execPath, [await batonBinary(), 'up', '--port', '0'], {
        env: { ...place.machine.env, BATON_LOG: 'fatal' },
        stdio: 'ignore',
      });
      kill = () => server.kill('SIGKILL');
      await expect.poll(() => findServer(data)?.pid).toBe(server.pid);
      const ended = new Promise((resolve) => server.once('exit', resolve));
      const { code, left } = await run(
        [
          { shell: 'echo before > before.txt' },
          { shell: 'echo after > after.txt' },
          { shell: `rm ${absent()}; touch late.txt` },
          { shell: 'touch .baton/atlas/late.json' },
          { shell: 'echo later > later.txt' },
          { say: 'done' },
        ],
        async (index) => {
          if (index !== 1) return;
          kill();
          await ended;
        },
      );
      expect({ code, left }).toEqual({ code: 0, left: 0 });
      for (const name of ['before.txt', 'after.txt', 'later.txt']) expect(existsSync(here(name))).toBe(true);
      for (const name of ['late.txt', '.baton/atlas/late.json']) expect(existsSync(here(name))).toBe(false);
    });
  });
});
