import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../packages/client/src/client.ts';
import { batonBinary, runBaton } from '../setup/cli.ts';
import { startTestServer } from '../setup/server.ts';

const TIMEOUT = 180_000;
let binary: string;
let scratch: string;
let child: ChildProcess | undefined;

beforeAll(async () => {
  binary = await batonBinary();
}, TIMEOUT);
afterEach(async () => {
  child?.kill('SIGKILL');
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
});

async function started(...args: string[]): Promise<{ readonly link: URL; said(): string }> {
  scratch = await mkdtemp(join(tmpdir(), 'baton-demo-test-'));
  let said = '';
  const env = { PATH: process.env.PATH ?? '', TMPDIR: scratch, HOME: scratch, NO_COLOR: '1' };
  child = spawn(process.execPath, [binary, 'demo', 'world', ...args], { env });
  const link = await new Promise<string>((resolve, reject) => {
    child?.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /http:\/\/\S+sign-in\S*#\S+/.exec(said)?.[0];
      if (found !== undefined && said.includes('Ctrl+C')) resolve(found);
    });
    child?.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child?.on('exit', () => reject(new Error(said)));
  });
  return { link: new URL(link), said: () => said };
}

describe('baton demo world', () => {
  it('is a filled server of its own, opened by its link, and leaves nothing behind', {
    timeout: TIMEOUT,
  }, async () => {
    const { link, said } = await started();
    const opened = await fetch(`${link.origin}/v1/dashboard/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link: link.hash.slice(1) }),
    });
    expect(opened.status).toBe(201);
    const [folder = ''] = await readdir(scratch);
    const token = (await readFile(join(scratch, folder, 'owner.key'), 'utf8')).trim();
    const client = createClient({ url: link.origin, token });
    const { by_kind } = await client.call('inbox.counts', {});
    expect(Object.keys(by_kind).sort()).toEqual([
      'carp_approval',
      'gate',
      'memory_proposal',
      'package_review',
    ]);
    expect(by_kind.carp_approval).toBeGreaterThanOrEqual(6);
    const projects = await client.call('projects.list', {});
    expect(projects.map(({ project_id }) => project_id)).toEqual(
      expect.arrayContaining(['webshop', 'support', 'platform']),
    );
    const types = new Set<string>();
    for (let after = -1; ; ) {
      const { events, next } = await client.call('journal.changes', { limit: 500, after });
      for (const { event } of events) types.add(event.event_type);
      if (events.length === 0) break;
      after = next;
    }
    expect([...types]).toEqual(
      expect.arrayContaining([
        'action.denied',
        'action.executed',
        'fact.asserted',
        'inbox.decided',
        'memory.proposed',
        'memory.read',
        'package.deposited',
        'run.started',
        'gate.pending',
      ]),
    );
    const { items } = await client.call('relay.traces', { project: 'webshop' });
    expect(items.length).toBeGreaterThanOrEqual(8);
    expect((await client.call('journal.verify', {})).valid).toBe(true);

    expect(await readdir(scratch)).toHaveLength(1);
    child?.kill('SIGINT');
    const [code] = await once(child!, 'exit');
    expect([code, said()]).toEqual([0, expect.stringContaining('nothing of it is left')]);
    expect(await readdir(scratch)).toEqual([]);
    await expect(fetch(link.origin)).rejects.toThrow();
  });

  it.each(['three projects', 'three agents that talk through the relay', 'a run that waits at a gate'])(
    'goes away as cleanly when it is stopped while it makes %s',
    { timeout: TIMEOUT },
    async (step) => {
      scratch = await mkdtemp(join(tmpdir(), 'baton-demo-test-'));
      const env = { PATH: process.env.PATH ?? '', TMPDIR: scratch, HOME: scratch, NO_COLOR: '1' };
      child = spawn(process.execPath, [binary, 'demo', 'world'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit');
      await new Promise<void>((resolve) => {
        child?.stdout?.setEncoding('utf8').on('data', (text: string) => text.includes(step) && resolve());
      });
      child.kill('SIGTERM');
      expect((await ended)[0]).toBe(0);
      expect(await readdir(scratch)).toEqual([]);
    },
  );

  it('fills the running server where that is asked for, once, under names of its own', {
    timeout: TIMEOUT,
  }, async () => {
    const server = await startTestServer();
    scratch = server.dataDir;
    try {
      const env = { BATON_DATA: server.dataDir };
      const first = await runBaton(['demo', 'world', '--here'], { env });
      expect([first.code, first.stderr]).toEqual([0, '']);
      const projects = await server.client.call('projects.list', {});
      const made = projects.filter(({ project_id }) => project_id.startsWith('demo-'));
      expect(made.map(({ name }) => name).sort()).toEqual([
        'Platform (demo)',
        'Support desk (demo)',
        'Webshop (demo)',
      ]);
      const again = await runBaton(['demo', 'world', '--here'], { env });
      expect(again.code).not.toBe(0);
      expect(again.stderr).toMatch(/here already/);
      expect((await server.client.call('journal.verify', {})).valid).toBe(true);
    } finally {
      await server.close();
      expect(existsSync(server.dataDir)).toBe(false);
    }
  });
});
