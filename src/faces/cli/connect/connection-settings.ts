import type { Settings } from '../../../app/settings.ts';
import { type ConnectionRecord, readConnection } from './connection-record.ts';
import { connectErrors } from './errors.ts';

/** The settings of a process that acts as a connection. */
export function settingsAs(settings: Settings, record: ConnectionRecord): Settings {
  const { token, url, databaseUrl = settings.databaseUrl } = record;
  return { ...settings, token, databaseUrl, ...(url !== undefined && { url }) };
}

export async function requireConnection(dataDir: string, name: string): Promise<ConnectionRecord> {
  const record = await readConnection(dataDir, name);
  if (record) return record;
  throw connectErrors.connection_unknown({ message: `${dataDir} holds no connection ${name}.` });
}
