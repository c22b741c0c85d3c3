import { resolve } from 'node:path';
import type { Settings } from '../../app/settings.ts';

/** A data directory given by hand also holds the embedded store, unless another database is set. */
export function inDataDirectory(settings: Settings, given: string | undefined): Settings {
  if (given === undefined) return settings;
  const dataDir = resolve(given);
  return settings.databaseUrl.startsWith('sqlite:')
    ? { ...settings, dataDir, databaseUrl: `sqlite:${dataDir}/baton.db` }
    : { ...settings, dataDir };
}
