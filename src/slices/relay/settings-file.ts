import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../kernel/json/loose.ts';
import { relayErrors } from './errors.ts';

/**
 * `relay.json` in the data directory: the relay's settings under the names that other tools know as environment
 * variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_A2A_RELAY_PEERS`, …). Without the file, everything has its default.
 */
export function readSettingsFile(dataDir: string): Readonly<Record<string, string>> {
  let text: string;
  try {
    text = readFileSync(join(dataDir, 'relay.json'), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw relayErrors.settings_unreadable({ cause });
  }
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) throw new TypeError('no object');
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, String(member)]));
  } catch (cause) {
    throw relayErrors.settings_unreadable({ cause });
  }
}

/** `BATON_RELAY_PUSH_HOSTS`: private hosts that clients may be notified at, as `host` or `host:port`. */
export function readPushHosts(named: Readonly<Record<string, string | undefined>>): readonly string[] {
  return (named.BATON_RELAY_PUSH_HOSTS ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean);
}
