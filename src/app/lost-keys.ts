import type { Random } from '../kernel/clock.ts';
import type { JsonObject } from '../kernel/json/value.ts';
import type { Identity } from '../spine/identity/identity.ts';
import { DEFAULT_PROJECT, SYSTEM_ACTOR } from '../spine/identity/settings.ts';
import type { PayloadCodec } from '../spine/journal/events/payload-codec.ts';
import { renewSigningKey, requirePayloadKey, requireSigningKey } from '../spine/journal/tree/lost-key.ts';
import type { Database } from '../spine/storage/database.ts';
import type { Settings } from './settings.ts';

/** Keys that are lost for good, by the word of whoever runs the command on this machine. */
export interface LostKeys {
  readonly signing?: { readonly known: readonly string[] };
  readonly payloads?: boolean;
}

interface KeyCheck {
  readonly settings: Settings;
  readonly db: Database;
  readonly random: Random;
  readonly payloads: PayloadCodec;
  readonly identity: Pick<Identity, 'record'>;
  readonly goingOnWithout: LostKeys | undefined;
}

/** Refuses to go on without a key that the store was written with, unless that was decided; then the journal says so first. */
export async function checkKeys(check: KeyCheck): Promise<void> {
  const { settings, db, random, payloads, identity, goingOnWithout = {} } = check;
  const announce = (type: string) => (payload: JsonObject) =>
    db.write(async (uow) => {
      await identity.record(uow, { projectId: DEFAULT_PROJECT, actor: SYSTEM_ACTOR, type, payload });
    });
  if (goingOnWithout.payloads) await announce('journal.payload_key_lost')({});
  else await requirePayloadKey(db, payloads);
  const { signing } = goingOnWithout;
  if (!signing) return requireSigningKey(db, settings.dataDir);
  await renewSigningKey(db, settings.dataDir, { ...signing, random, announce: announce('journal.rekeyed') });
}
