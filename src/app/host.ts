import type { Host } from '../faces/cli/host.ts';
import { commandTable } from './command-table.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** What the command line drives. Rooms are loaded only by the verbs that need them: start-up is a feature. */
export function createHost(settings: Settings): Host {
  return {
    settings,
    version: VERSION,
    operations: commandTable,
    connect: async (given) => (await import('./connection.ts')).connect(given),
    serve: async (given, options) => (await import('./serve-up.ts')).serveUp(given, options),
    readForeignTable: async (file, table) =>
      (await import('../spine/storage/sqlite/foreign-file.ts')).readForeignTable(file, table),
    backup: async (given, file, progress) => {
      const { openDatabase } = await import('../spine/storage/open.ts');
      const db = await openDatabase(given.databaseUrl);
      await db.backup(file, progress).finally(() => db.close());
    },
    migrateStore: async (given, to, progress) =>
      (await import('./migrate-store.ts')).migrateStore(given, to, progress),
    renewOwner: async (given) => {
      const { openApp } = await import('./compose.ts');
      const app = await openApp(given);
      const { path } = await app.identity.ownerKey.renew(given.dataDir).finally(() => app.close());
      return path;
    },
    resetPresence: async (given, actorId, passphrase) => {
      const { openApp } = await import('./compose.ts');
      const app = await openApp(given);
      return app.identity.resetPresence(actorId, passphrase).finally(() => app.close());
    },
    rekeyJournal: async (given, lost) => {
      const { openApp } = await import('./compose.ts');
      const { findServer } = await import('./server-file.ts');
      const { appErrors } = await import('./errors.ts');
      const other = findServer(given.dataDir);
      if (other)
        throw appErrors.already_running({ message: `A server is running at ${other.url}: stop it.` });
      const app = await openApp(given, { goingOnWithout: lost });
      await app.close();
      return app.tree.signer.verifierKey;
    },
    serveRelay: async (given, relay) => (await import('./serve-relay.ts')).serveRelay(given, relay),
    serveMcp: async (given) =>
      given.url === undefined
        ? (await import('./serve-mcp.ts')).serveMcp(given)
        : (await import('./serve-mcp-elsewhere.ts')).serveMcpElsewhere(given.url, given.token),
    serveNoTools: async (reason) => (await import('./serve-no-tools.ts')).serveNoTools(reason),
    serveGateway: async (given, serving) => (await import('./serve-gateway.ts')).serveGateway(given, serving),
  };
}
