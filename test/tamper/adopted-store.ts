/** A store that an older Baton filled, adopted by this one: what it says of rows it never wrote must hold as well. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../../src/app/compose.ts';
import { migrations } from '../../src/app/migrations.ts';
import { readSettings } from '../../src/app/settings.ts';
import { tables } from '../../src/app/tables.ts';
import type { DerivedCheck } from '../../src/spine/journal/verify/derived-slot.ts';
import type { JournalReport } from '../../src/spine/journal/verify/report.ts';
import { verifyStore } from '../../src/spine/journal/verify/verify-in-thread.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import type { DatabaseOptions } from '../../src/spine/storage/options.ts';
import type { OpenForTest } from '../../src/spine/storage/testing.ts';
import { indexCauses } from '../../src/spine/why/cause-store.ts';
import { readAbout, restoreStore, writeFiles } from '../upgrade/old-store.ts';
import { imageOf, type StoreCopy, type StoreImage } from './store-image.ts';

const RELEASE = '855c288';
const HOUR = 3_600_000_000;

interface Adopting {
  /** Writes what the old store has not. */
  readonly fill?: (app: App) => Promise<void>;
  readonly derived?: readonly DerivedCheck[];
  readonly options?: DatabaseOptions;
}

export interface AdoptedStore {
  readonly image: StoreImage;
  readonly whole: StoreCopy;
  /** An hour later each time. */
  reopened(databaseUrl: string): Promise<App>;
  verified(databaseUrl: string, how?: { readonly withoutDerived?: boolean }): Promise<JournalReport>;
  remove(): Promise<void>;
}

export async function adoptedStore(
  open: OpenForTest,
  { fill, derived, options }: Adopting,
): Promise<AdoptedStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'baton-tamper-'));
  const about = await readAbout(open.engine, RELEASE);
  await writeFiles(dataDir, about.files);
  const now = (Date.parse(about.made_at) + 1000) * 1000;
  let opened = 0;
  const reopened = (databaseUrl: string) => {
    const settings = {
      ...readSettings({ BATON_DATA: dataDir }),
      databaseUrl,
      payloadKeys: { text: about.payload_keys },
    };
    return openApp(settings, { clock: { now: () => now + HOUR * opened++ } });
  };
  let trustedKeys: readonly string[] = [];
  let payloadKeys: readonly Uint8Array[] = [];
  const image = await imageOf(open, async (url) => {
    await restoreStore(url, RELEASE);
    const app = await reopened(url);
    while (await app.state.adoptSome());
    while (await app.db.write((uow) => indexCauses(uow, 500)));
    await fill?.(app);
    await app.tree.checkpoint();
    ({ trustedKeys } = app.tree.signer);
    ({ payloadKeys } = app);
    await app.close();
  });
  const whole = await image.copy();
  /** PostgreSQL's copy is the same database each time. */
  let kept: Database | undefined;
  return {
    image,
    whole,
    reopened,
    async verified(databaseUrl, how) {
      const db = kept ?? (await openDatabase(databaseUrl, options));
      if (open.engine === 'postgres') kept = db;
      try {
        return await verifyStore({
          db,
          databaseUrl,
          declarations: tables,
          ...(derived && { derived }),
          migrations,
          trustedKeys,
          payloadKeys,
          ...how,
        });
      } finally {
        if (!kept) await db.close();
      }
    },
    async remove() {
      await kept?.close();
      await image.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
