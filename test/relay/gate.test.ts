import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { batonBinary } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';

const run = promisify(execFile);
const VERBS = {
  verbs: {
    send: { description: 'Ask the echo.', fixed: { to: 'echo' }, mutates: true },
    view: { description: 'Look at what was said.' },
    'tasks-cancel': { description: 'Stop a task.', acknowledge: 'I stop it.' },
  },
};

let server: TestServer;
let peer: SdkPeer;
let repository: string;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startSdkPeer('1.0');
  for (const id of ['echo', 'other']) await server.client.call('relay.peer.register', { id, url: peer.url });
  repository = await mkdtemp(join(tmpdir(), 'baton-gate-'));
  await mkdir(join(repository, '.baton'));
  await mkdir(join(repository, 'deep', 'inside'), { recursive: true });
  await writeFile(join(repository, '.baton', 'verbs.json'), JSON.stringify(VERBS));
  await writeFile(join(repository, 'deep', 'inside', 'file'), 'x');
  const author = ['-c', 'user.name=T', '-c', 'user.email=t@example.org'];
  await run('git', ['init', '-q'], { cwd: repository });
  await run('git', ['add', '-A'], { cwd: repository });
  await run('git', [...author, 'commit', '-q', '-m', 'Begin'], { cwd: repository });
});
afterAll(async () => {
  await server.close();
  await peer.close();
  await rm(repository, { recursive: true, force: true });
});

/** From somewhere inside the repository, as an operator would. */
async function baton(...args: string[]): Promise<{ code: number; stderr: string; stdout: string }> {
  return run(process.execPath, [await batonBinary(), ...args], {
    cwd: join(repository, 'deep', 'inside'),
    env: {
      PATH: process.env.PATH ?? '',
      NO_COLOR: '1',
      BATON_URL: server.url,
      BATON_TOKEN: server.ownerToken,
    },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function rows(type: string): Promise<Record<string, unknown>[]> {
  const { events } = await server.client.call('journal.changes', { after: -1, types: [type], limit: 500 });
  return events.map(({ event }) => event.payload as Record<string, unknown>);
}

describe('the gate of a repository', () => {
  it('lets a listed verb through, and the journal has the decision, the verb and its end', async () => {
    expect((await baton('relay', 'send', 'echo', 'hello', '--context', 'gate')).code).toBe(0);
    const allowed = await rows('operator.allowed');
    expect(allowed).toEqual([
      expect.objectContaining({
        verb: 'send',
        rule: 'gate:listed',
        arguments: { to: 'echo', context: 'gate' },
        commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      }),
      expect.objectContaining({ verb: 'send', rule: 'names', arguments: { to: 'echo', context: 'gate' } }),
    ]);
    expect(JSON.stringify(allowed)).not.toContain('hello');
    expect(await rows('operator.ended')).toMatchObject([{ verb: 'send', outcome: 'ok' }]);
    expect((await baton('relay', 'view', 'gate')).stdout).toContain('relay → echo');
  });

  it.each<[string, string[], string]>([
    ['a verb that is not listed', ['stream', 'echo', 'hello'], 'gate:allowlist'],
    ['another agent', ['send', 'other', 'hello'], 'gate:fixed'],
    ['a sentence that was not typed', ['tasks-cancel', 'some-task'], 'gate:acknowledgment'],
  ])('refuses %s with an exit code of its own, and that is in the journal', async (_, args, rule) => {
    const asked = peer.bodies.length;
    const { code, stderr } = await baton('relay', ...args);
    expect(code).toBe(5);
    expect(stderr).toContain('verb_denied');
    expect((await rows('operator.denied')).at(-1)).toMatchObject({ verb: args[0], rule });
    expect(peer.bodies.length).toBe(asked);
  });

  it('takes the sentence before the verb', async () => {
    const { code, stderr } = await baton('relay', '--acknowledge', 'I stop it.', 'tasks-cancel', 'some-task');
    expect([code, stderr]).toEqual([1, expect.stringContaining('task_not_known')]);
  });

  it('refuses a verb that changes the repository while it has changes', async () => {
    await writeFile(join(repository, 'deep', 'inside', 'file'), 'y');
    expect((await baton('relay', 'send', 'echo', 'hello')).stderr).toContain('uncommitted changes');
    expect((await rows('operator.denied')).at(-1)).toMatchObject({ verb: 'send', rule: 'gate:dirty-tree' });
    expect((await baton('relay', 'view', 'gate')).code).toBe(0);
  });

  it('refuses everything where the list cannot be read', async () => {
    await writeFile(join(repository, '.baton', 'verbs.json'), '{"verbs": []}');
    const { code, stderr } = await baton('relay', 'view', 'gate');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not a verb list')]);
  });
});

describe('the audit of a stream', () => {
  it('ends with the stream, and so does its span', async () => {
    await (await server.fetch('/v1/relay/stream?to=echo&text=hi&context=audit-stream')).text();
    await expect
      .poll(async () => (await rows('operator.ended')).at(-1))
      .toMatchObject({ verb: 'stream', outcome: 'ok' });
    const spans = async () =>
      (await server.client.call('relay.spans', { session_id: 'audit-stream' })).items.find(
        ({ name }) => name === 'a2a.client.stream',
      );
    await expect.poll(spans).toMatchObject({ attributes: { 'o2r.task.state': 'completed' } });
  });
});
