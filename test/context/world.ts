import { afterAll, beforeAll } from 'vitest';
import type { OpenForTest } from '../../src/spine/storage/testing.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

export { aPackage } from './a-package.ts';

export interface World {
  readonly server: TestServer;
  /** A credential of its own for an actor. */
  token(id: string, type: 'human' | 'agent' | 'script', projects?: string[]): Promise<string>;
  send(
    method: string,
    path: string,
    body?: unknown,
    options?: { readonly token?: string; readonly headers?: Record<string, string> },
  ): Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly json: any;
}

/** The whole product on the engine under test, once for a suite. */
export function worldOn(open: OpenForTest): () => World {
  let world: World | undefined;
  let server: TestServer | undefined;
  beforeAll(async () => {
    const db = await open([]);
    server = await startTestServer({ databaseUrl: open.urlOf(db) });
    world = worldOf(server);
  });
  afterAll(async () => {
    await server?.close();
  });
  return () => world as World;
}

export function worldOf(server: TestServer): World {
  return {
    server,
    async token(id, type, projects = ['*']) {
      const made = await server.client.call('keys.create', { actor_id: id, actor_type: type, projects });
      return made.token as string;
    },
    async send(method, path, body, { token = server.ownerToken, headers = {} } = {}) {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parsed(text) };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
