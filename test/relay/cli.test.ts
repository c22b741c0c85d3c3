import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBaton } from '../setup/cli.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type SdkPeer, startSdkPeer } from './sdk-peer.ts';

let server: TestServer;
let peer: SdkPeer;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer();
  peer = await startSdkPeer('1.0');
  env = { BATON_URL: server.url, BATON_TOKEN: server.ownerToken };
  await runBaton(['relay', 'register', 'echo', peer.url], { env });
});
afterAll(async () => {
  await server.close();
  await peer.close();
});

describe('baton relay', () => {
  it('derives a session id', async () => {
    const { stdout, code } = await runBaton(['relay', 'session', 'github:coilysiren/otel-a2a-relay#1'], {
      env,
    });
    expect([code, stdout]).toEqual([0, 'c98faa5ecaff76f3\n']);
    expect((await runBaton(['relay', 'session', 'nonsense'], { env })).code).toBe(2);
  });

  it('sends, streams, asks for the task and shows all of it as a tree', async () => {
    const sent = await runBaton(['relay', 'send', 'echo', 'hi', '--session', 'github:a/b#2', '--json'], {
      env,
    });
    const answer = JSON.parse(sent.stdout);
    expect(answer).toMatchObject({ state: 'completed', text: 'echo: hi!' });
    const streamed = await runBaton(['relay', 'stream', 'echo', 'pieces', '--context', 'c1', '--json'], {
      env,
    });
    expect(streamed.stdout).toContain('echo: ');
    const got = JSON.parse(
      (await runBaton(['relay', 'tasks-get', answer.task_id, '--json'], { env })).stdout,
    );
    expect(got.state).toBe('completed');
    expect((await runBaton(['relay', 'tasks-cancel', answer.task_id], { env })).code).not.toBe(0);
    const { stdout } = await runBaton(['relay', 'view', 'github:a/b#2'], { env });
    expect(stdout).toMatch(/a2a\.client\.send/);
    expect(stdout).toMatch(/└─ ✓ {2}a2a\.task {2}owner → relay/);
    expect(stdout).toMatch(/relay → echo/);
    expect(stdout).toContain('out: echo: hi!');
    const folder = await mkdtemp(join(tmpdir(), 'baton-view-'));
    await runBaton(['relay', 'view', 'github:a/b#2', '--html', join(folder, 'graph.html')], { env });
    expect(await readFile(join(folder, 'graph.html'), 'utf8')).toContain('<svg');
    await rm(folder, { recursive: true });
  });

  it('sends a session again, after its plan and a yes, and says what differs', async () => {
    await runBaton(['relay', 'send', 'echo', 'hello again', '--session', 'github:a/b#7'], { env });
    const replay = (...more: string[]) => runBaton(['relay', 'replay', 'github:a/b#7', ...more], { env });
    await expect.poll(async () => (await replay('--dry-run')).code).toBe(0);
    const plan = await replay('--dry-run');
    expect(plan.stdout).toContain('→ 1  owner → echo');
    expect(plan.stdout).toContain('1 of 1 message can be sent, as owner.');
    const seen = peer.bodies.length;
    expect((await replay()).code).toBe(2);
    expect(peer.bodies).toHaveLength(seen);
    const { stdout, code } = await replay('--yes');
    expect(code, stdout).toBe(0);
    expect(peer.bodies).toHaveLength(seen + 1);
    expect(stdout).toContain('1  echo  the same');
    expect(stdout).toMatch(/state +task completed +task completed/);
    expect(stdout).toMatch(/session \S+ stands for \S+/);
    const [, id = ''] = /replay (\S+): ended/.exec(stdout) ?? [];
    const shown = await runBaton(['relay', 'replayed-step', id, '1'], { env });
    expect(shown.stdout).toContain('1  echo  the same');
  });

  it('leaves a row in the journal for what was allowed and for what was denied', async () => {
    expect((await runBaton(['relay', 'send', 'echo; rm -rf /', 'x'], { env })).code).toBe(5);
    const journal = JSON.stringify(await server.client.call('journal.changes', { after: -1, limit: 500 }));
    for (const type of [
      'operator.allowed',
      'operator.ended',
      'operator.denied',
      'relay.task_ended',
      'peer.registered',
    ]) {
      expect(journal).toContain(type);
    }
  });
});

describe('baton demo relay', () => {
  it('shows two agents and one session without anything set up', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'baton-demo-test-'));
    const { stdout, code } = await runBaton(['demo', 'relay'], { env: { BATON_DATA: folder } });
    expect(code).toBe(0);
    expect(stdout).toContain('Hello, world!');
    expect(stdout).toMatch(/relay → writer/);
    await rm(folder, { recursive: true, force: true });
  });
});
