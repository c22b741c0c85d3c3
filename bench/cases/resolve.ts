import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { openApp } from '../../src/app/compose.ts';
import { serveApp } from '../../src/app/serve.ts';
import { readSettings } from '../../src/app/settings.ts';
import type { BenchCase, Side } from '../harness.ts';

const CLIENTS = 16;
const ROUNDS = 9;
/** As many for ours as for the bare server: the first thousands cost twice as much as later ones, until they are compiled. */
const MANY = 2_000;
const AGENT = 'bench';

interface Target {
  readonly url: string;
  readonly token: string;
  readonly session: string;
  readonly agentId: string;
  /** Asks for something new each time; else for the same, which is answered from the cache. */
  readonly fresh: boolean;
  readonly atlas?: string;
}

const atlasOf = (name: string, actions: number) => ({
  atlas_version: '1.0',
  atlas_id: `com.example.${name}`,
  version: '1.0.0',
  name,
  description: 'For measuring',
  actions: Array.from({ length: actions }, (_, at) => ({
    action_id: `${name}.act${at}`,
    name: `Act ${at}`,
    description: `Does ${at}`,
  })),
  policies: [
    { policy_id: 'all', type: 'allow' },
    { policy_id: 'not-1', type: 'deny', actions: [`${name}.act1`] },
    { policy_id: 'not-2', type: 'deny', actions: [`${name}.act2`] },
  ],
});

function clientsOf(child: ChildProcess, targets: readonly Target[], count: number): Side {
  return async () => {
    child.send({ targets, clients: CLIENTS, count });
    await once(child, 'message');
    return count;
  };
}

export const benchCase: BenchCase = {
  name: 'resolve',
  title: `Resolve over HTTP with ${CLIENTS} clients: durable, traced and chained, beside a bare Hono answer`,
  async prepare() {
    const dataDir = await mkdtemp(join(tmpdir(), 'baton-resolve-'));
    const settings = readSettings({ BATON_DATA: dataDir, BATON_PORT: '0', BATON_LOG: 'fatal' });
    const app = await openApp(settings);
    const server = await serveApp(app, settings);
    const token = (await readFile(join(dataDir, 'owner.key'), 'utf8')).trim();
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { session_id: string };
    };
    await post('/v1/atlases', atlasOf('small', 5));
    await post('/v1/atlases', atlasOf('large', 200));
    const targetsOf = async (name: string, fresh: boolean): Promise<Target[]> => {
      const targets: Target[] = [];
      for (let at = 0; at < CLIENTS; at += 1) {
        const { session_id: session } = await post('/v1/sessions', { agent_id: AGENT, goal: 'Do the work' });
        targets.push({
          url: server.url,
          token,
          session,
          agentId: AGENT,
          fresh,
          atlas: `com.example.${name}`,
        });
      }
      return targets;
    };
    const bare = new Hono();
    bare.post('/v1/resolve', async (c) => c.json({ request_id: (await c.req.json()).request_id }));
    const hono = serve({ fetch: bare.fetch, port: 0, hostname: '127.0.0.1' });
    if (!hono.listening) await once(hono, 'listening');
    const bareUrl = `http://127.0.0.1:${(hono.address() as AddressInfo).port}`;
    const here = dirname(fileURLToPath(import.meta.url));
    // Seen from the case's source and from its bundle alike.
    const child = fork(join(here, '../resolve/clients.mjs'));
    const small = await targetsOf('small', true);
    const sides = {
      small: clientsOf(child, small, MANY),
      large: clientsOf(child, await targetsOf('large', true), MANY / 4),
      smallAgain: clientsOf(child, await targetsOf('small', false), MANY),
      largeAgain: clientsOf(child, await targetsOf('large', false), MANY / 2),
      bare: clientsOf(
        child,
        small.map((each) => ({ ...each, url: bareUrl })),
        MANY,
      ),
    };
    return {
      comparisons: [
        {
          title: 'Five actions, something new each time',
          unit: 'resolves',
          rounds: ROUNDS,
          sides: { 'durable resolve': sides.small, 'bare Hono': sides.bare },
          goals: [
            { text: 'at most 4 times a bare answer', met: (_, kept) => (kept['bare Hono'] ?? 0) >= 1 / 4 },
          ],
        },
        {
          title: '200 actions beside 5, something new each time',
          unit: 'resolves',
          rounds: ROUNDS,
          sides: { '200 actions': sides.large, '5 actions': sides.small },
          goals: [{ text: 'at most 3 times 5 actions', met: (_, kept) => (kept['5 actions'] ?? 0) >= 1 / 3 }],
        },
        {
          title: '200 actions beside 5, the same again',
          unit: 'resolves',
          rounds: ROUNDS,
          sides: { '200 actions': sides.largeAgain, '5 actions': sides.smallAgain },
          goals: [{ text: 'at most 3 times 5 actions', met: (_, kept) => (kept['5 actions'] ?? 0) >= 1 / 3 }],
        },
      ],
      close: async () => {
        child.kill();
        hono.close();
        await server.close();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  },
};
