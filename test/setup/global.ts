import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PostgresServer, startPostgres } from './postgres-server.ts';

/**
 * One PostgreSQL for all suites of a run, started when the first of them asks. Suites run in other processes, so
 * they ask over loopback: `BATON_TEST_POSTGRES` is the address. A server of your own comes by `TEST_DATABASE_URL`.
 */
let desk: Server | undefined;
let starting: Promise<PostgresServer> | undefined;

export async function setup(): Promise<void> {
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
}
