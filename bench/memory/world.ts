import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { partsFromFlat } from '../../src/spine/dispatch/parse.ts';
import type { Principal } from '../../src/spine/identity/principal.ts';
import { DEFAULT_PROJECT } from '../../src/spine/identity/settings.ts';

const principalOf = (id: string, type: 'human' | 'agent', scopes: readonly string[]): Principal => ({
  actor: { id, type },
  scopes: new Set(scopes),
  projects: [DEFAULT_PROJECT],
  defaultProject: DEFAULT_PROJECT,
  credential: { kind: 'key', id },
  owner: false,
  speaksFor: [],
  present: true,
});

export const owner = principalOf('bench', 'human', ['memory:*', 'self']);
export const agent = (name: string) => principalOf(name, 'agent', ['memory:read', 'memory:propose', 'self']);

export interface BenchWorld {
  readonly app: App;
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of what it asks
  call(operation: string, flat: Record<string, unknown>, principal?: Principal): Promise<any>;
  close(): Promise<void>;
}

/** The whole product on a store of its own, without the limit on reads. */
export async function openBenchWorld(clock?: Clock): Promise<BenchWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-memory-bench-'));
  const databaseUrl = process.env.BATON_BENCH_DATABASE ?? `sqlite:${join(folder, 'bench.db')}`;
  const env = { BATON_DATA: folder, BATON_PORT: '0', BATON_A2P_READS_PER_HOUR: '1000000000' };
  const app = await openApp({ ...readSettings(env), databaseUrl }, clock && { clock });
  return {
    app,
    async call(operation, flat, principal = owner) {
      const bound = app.registry.get(operation);
      if (!bound) throw new Error(`no operation ${operation}`);
      const { body } = await app.dispatcher.call(bound, {
        principal,
        parts: partsFromFlat(bound.operation, flat),
        requestId: 'bench',
        signal: new AbortController().signal,
      });
      return body === '' ? undefined : JSON.parse(body);
    },
    async close() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
