import { existsSync } from 'node:fs';
import { hasUnnumbered } from '../spine/journal/events/event-store.ts';
import { verifyStore } from '../spine/journal/verify/verify-in-thread.ts';
import { repost } from '../spine/search/store/repost.ts';
import type { Database } from '../spine/storage/database.ts';
import { storageErrors } from '../spine/storage/errors.ts';
import { openDatabase } from '../spine/storage/open.ts';
import type { DatabaseOptions } from '../spine/storage/options.ts';
import { selectTableNames } from '../spine/storage/transfer/catalogue.ts';
import { selectMark } from '../spine/storage/transfer/marks.ts';
import {
  NotReady,
  type TransferPhase,
  type TransferredTable,
  transfer,
} from '../spine/storage/transfer/transfer.ts';
import { openApp } from './compose.ts';
import { derivedTables } from './derived-tables.ts';
import { appErrors } from './errors.ts';
import { migrations } from './migrations.ts';
import { findListeningServer } from './server-file.ts';
import type { Settings } from './settings.ts';
import { tables } from './tables.ts';

/** The engine's own, or the target's: these are not copied. */
const NOT_COPIED = new Set(['schema_migrations', 'search_postings']);
const ATTEMPTS = 5;

export interface MovedStore {
  readonly tables: readonly TransferredTable[];
  /** The root of the journal's tree over so many events; undefined if an earlier run had verified it. */
  readonly journal: { readonly events: number; readonly root: string } | undefined;
}

export type MoveProgress = (phase: TransferPhase, done: number, total: number) => void;

/** `baton migrate`: everything that the store holds, under the same log key, into an empty database. */
export async function migrateStore(
  settings: Settings,
  to: string,
  progress: MoveProgress,
  storage?: DatabaseOptions,
): Promise<MovedStore> {
  const server = await findListeningServer(settings.dataDir);
  if (server) throw appErrors.already_running({ message: `A server is running at ${server.url}: stop it.` });
  const { databaseUrl } = settings;
  if (databaseUrl.startsWith('sqlite:') && !existsSync(databaseUrl.slice('sqlite:'.length)))
    throw nothingThere();
  const source = await openDatabase(databaseUrl);
  try {
    const target = await openDatabase(to, storage);
    try {
      return await moveBetween(settings, { source, target, to, progress });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

interface Move {
  readonly source: Database;
  readonly target: Database;
  readonly to: string;
  readonly progress: MoveProgress;
}

async function moveBetween(settings: Settings, { source, target, to, progress }: Move): Promise<MovedStore> {
  if (!(await source.read(selectTableNames)).includes('schema_migrations')) throw nothingThere();
  for (let attempt = 1; ; attempt += 1) {
    const moved = await source.read((reader) => selectMark(reader, 'moved'));
    const keys = moved === undefined ? await bringUpToDate(settings) : undefined;
    let journal: MovedStore['journal'];
    try {
      const copied = await transfer({
        source,
        target,
        migrations,
        tables: new Set(Object.keys(tables).filter((name) => !NOT_COPIED.has(name))),
        fence: 'events',
        isReady: async (reader) => !(await hasUnnumbered(reader)),
        remake: repost,
        progress,
        verify: async () => {
          const report = await verifyStore({
            db: target,
            databaseUrl: to,
            declarations: tables,
            derived: derivedTables,
            migrations,
            trustedKeys: keys?.trusted ?? [],
            payloadKeys: keys?.payloads ?? [],
            progress: (events, total) => progress('verifying', events, total),
          });
          if (!report.valid) {
            const [first] = report.faults;
            throw storageErrors.migration_differs({
              message: `The journal of the copy does not verify: ${first?.message ?? 'unknown'}`,
              details: { faults: report.faults.slice(0, 20) },
            });
          }
          journal = { events: report.events, root: report.root };
        },
      });
      return { tables: copied, journal };
    } catch (error) {
      if (!(error instanceof NotReady) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Applies the schema's steps, numbers and signs what is there, and checks that all keys are at hand. */
async function bringUpToDate(settings: Settings) {
  const app = await openApp(settings);
  try {
    await app.tree.checkpoint();
    return { trusted: app.tree.signer.trustedKeys, payloads: app.payloadKeys };
  } finally {
    await app.close();
  }
}

const nothingThere = () =>
  storageErrors.migration_refused({
    message: 'There is no store to move.',
    next: 'Name it by BATON_DATABASE_URL, or its directory by BATON_DATA or `--data DIR`.',
  });
