import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { memoryFolder } from './memory-folder.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/**
 * One PostgreSQL for all suites of a run, started when the first of them asks. Suites run in other processes, so
 * they ask over loopback: `BATON_TEST_POSTGRES` is the address. A server of your own comes by `TEST_DATABASE_URL`.
 */
let desk: Server | undefined;
let starting: Promise<PostgresServer> | undefined;
let folder: string | undefined;

export async function setup(): Promise<void> {
  await moveToMemory();
  if (process.env.TEST_DATABASE_URL) return;
  desk = createServer((_request, response) => {
    starting ??= startPostgres();
    starting.then(
      ({ url }) => response.end(JSON.stringify({ url })),
      (error: unknown) => response.end(JSON.stringify({ reason: String(error) })),
    );
  });
  const listening = desk;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  process.env.BATON_TEST_POSTGRES = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;
}

export async function teardown(): Promise<void> {
  desk?.closeAllConnections();
  desk?.close();
  const server = await starting?.catch(() => undefined);
  await server?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
}

/** All temporary folders of the run, unless somebody said where they go. What is left to be looked at stays on disk. */
async function moveToMemory(): Promise<void> {
  process.env.BATON_TEST_KEPT = tmpdir();
  if (process.env.TMPDIR) return;
  folder = await memoryFolder();
  if (folder) process.env.TMPDIR = folder;
}
