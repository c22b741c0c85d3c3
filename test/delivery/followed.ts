import { join } from 'node:path';
import { expect } from 'vitest';
import { nodeHasher, nodeRandom, systemClock } from '../../src/platform/index.ts';
import { openRepository, type RunRepository } from '../../src/slices/delivery/commands.ts';
import { type Ran, runBaton } from '../setup/cli.ts';
import type { TestServer } from '../setup/server.ts';
import { eventually, type Governed } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
export type Json = any;

interface World {
  readonly server: TestServer;
  readonly governed: Governed;
}

/** What tests do with a repository that a server follows: commands on its files, and HTTP. */
export function followed(world: () => World) {
  const get = async (path: string): Promise<Json> => (await world().server.fetch(path)).json();
  const post = (path: string, body: object): Promise<Response> =>
    world().server.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const run = (...args: string[]): Promise<Ran> =>
    runBaton([...args, '--dir', world().governed.root], { env: { BATON_DATA: world().server.dataDir } });
  /** The answer of a command that has to succeed. */
  const baton = async (...args: string[]): Promise<Json> => {
    const ran = await run(...args, '--json');
    expect({ args, ...ran }).toMatchObject({ code: 0 });
    return JSON.parse(ran.stdout);
  };
  const open = (): RunRepository =>
    openRepository({
      root: world().governed.root,
      clock: systemClock,
      random: nodeRandom,
      hasher: nodeHasher,
      keepIn: join(world().server.dataDir, 'runs'),
    });
  const items = async (state: string): Promise<Json[]> => (await get(`/v1/inbox?state=${state}`)).items;
  const allWaiting = (count: number): Promise<Json[]> =>
    eventually(
      () => items('open'),
      ({ length }) => length === count,
    );
  const waiting = async (): Promise<Json> => (await allWaiting(1))[0];
  const decide = async (item: Json, decision: string): Promise<Json> => {
    const response = await post(`/v1/inbox/${item.id}`, { decision, digest: item.digest, note: 'Seen' });
    expect({ status: response.status, body: await response.clone().text() }).toMatchObject({ status: 200 });
    return response.json();
  };
  const settled = (item: Json, state: string): Promise<Json> =>
    eventually(
      () => get(`/v1/inbox/${item.id}`),
      (seen: Json) => seen.state === state,
    );
  return { get, post, run, baton, open, items, allWaiting, waiting, decide, settled };
}
