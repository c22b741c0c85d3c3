import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../kernel/json/loose.ts';
import { relayErrors } from './errors.ts';
import { AGENT_NAME } from './peers/schema.ts';
import type { AttributeProfile } from './spans/attribute-registry.ts';
import { type ContentPolicy, DEFAULT_CONTENT } from './spans/content.ts';
import type { TracePolicy } from './spans/trace-context.ts';

export interface RelaySettings {
  /** Peers known from the start: name → address. */
  readonly peers: Readonly<Record<string, string>>;
  /** The peer that is meant where none is named. */
  readonly defaultPeer: string | undefined;
  /** Where gRPC is listened to; not at all where it is undefined, and 0 is any free port. */
  readonly grpcPort: number | undefined;
  /** What cards say instead of the host that a caller named and the port: `host:port`. */
  readonly grpcAddress: string | undefined;
  /** 32 bytes in base64; what seals credentials towards peers, where it is not a key of the data directory's own. */
  readonly credentialKey: string | undefined;
  readonly starEnforce: boolean;
  /** Answers for targets that nobody registered: for trying things out, never in production. */
  readonly synthesize: boolean;
  readonly tracePolicy: TracePolicy;
  readonly content: ContentPolicy;
  readonly profiles: ReadonlySet<AttributeProfile>;
  /** Where finished spans are sent too; without one they stay in our own store. */
  readonly exportUrl: string | undefined;
  readonly exportHeaders: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly idleSeconds: number;
  readonly maxBodyBytes: number;
  readonly maxConcurrent: number;
  readonly retentionDays: number;
  readonly retentionSpans: number;
  readonly retentionBytes: number;
  /** Which share of traces without an error is kept once they are `healthyAfterHours` old. */
  readonly healthyShare: number;
  readonly healthyAfterHours: number;
  readonly spoolSpans: number;
  /** How long an upstream is read on after its caller left, so that it can come back. */
  readonly replaySeconds: number;
}

/** Settings by the names that they have in the environment. */
export type NamedSettings = Readonly<Record<string, string | undefined>>;

const PHOENIX_URL = 'http://localhost:6006';

const PROFILES: readonly AttributeProfile[] = ['o2r', 'a2a', 'genai'];

/** Throws where a value cannot be meant: a relay that starts with half of its settings is found out too late. */
export function readRelaySettings(named: NamedSettings): RelaySettings {
  const isOn = (name: string) => readSwitch(name, named[name]);
  const oneOf = <const T extends string>(name: string, values: readonly T[], fallback: T) =>
    readWord(name, named[name], values) ?? fallback;
  const positive = (name: string, fallback: number) => readPositive(name, named[name]) ?? fallback;
  return {
    peers: readPeers('OTEL_A2A_RELAY_PEERS', named.OTEL_A2A_RELAY_PEERS),
    defaultPeer: named.BATON_RELAY_DEFAULT_PEER || undefined,
    grpcPort: named.BATON_RELAY_GRPC_PORT
      ? readPort('BATON_RELAY_GRPC_PORT', named.BATON_RELAY_GRPC_PORT)
      : undefined,
    grpcAddress: readAuthority('BATON_RELAY_GRPC_ADDRESS', named.BATON_RELAY_GRPC_ADDRESS),
    credentialKey: named.BATON_RELAY_CREDENTIAL_KEY || undefined,
    starEnforce: isOn('OTEL_A2A_RELAY_STAR_ENFORCE'),
    synthesize: isOn('BATON_RELAY_SYNTHESIZE'),
    tracePolicy: oneOf('BATON_RELAY_TRACE_POLICY', ['continue', 'burst', 'restart', 'drop'], 'continue'),
    content: {
      mode: oneOf('BATON_RELAY_CONTENT', ['full', 'redacted', 'none'], DEFAULT_CONTENT.mode),
      hideInputs: isOn('OPENINFERENCE_HIDE_INPUTS') || isOn('OPENINFERENCE_HIDE_INPUT_TEXT'),
      hideOutputs: isOn('OPENINFERENCE_HIDE_OUTPUTS') || isOn('OPENINFERENCE_HIDE_OUTPUT_TEXT'),
    },
    profiles: new Set(
      (named.BATON_RELAY_SEMCONV || PROFILES.join(',')).split(',').map((word) => {
        const profile = readWord('BATON_RELAY_SEMCONV', word.trim(), PROFILES);
        if (!profile) throw invalid('BATON_RELAY_SEMCONV', word, `one of ${PROFILES.join(', ')}`);
        return profile;
      }),
    ),
    exportUrl: readExportUrl(named),
    exportHeaders: readHeaders(named.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutSeconds: positive('BATON_RELAY_TIMEOUT_SECONDS', 120),
    idleSeconds: positive('BATON_RELAY_IDLE_SECONDS', 300),
    maxBodyBytes: positive('BATON_RELAY_MAX_BODY_BYTES', 16 * 1024 * 1024),
    maxConcurrent: positive('BATON_RELAY_MAX_CONCURRENT', 1000),
    retentionDays: positive('BATON_RELAY_RETENTION_DAYS', 30),
    retentionSpans: positive('BATON_RELAY_RETENTION_SPANS', 2_000_000),
    retentionBytes: positive('BATON_RELAY_RETENTION_MB', 20_000) * 1_000_000,
    healthyShare: readShare('BATON_RELAY_KEEP_HEALTHY', named.BATON_RELAY_KEEP_HEALTHY),
    healthyAfterHours: positive('BATON_RELAY_KEEP_HEALTHY_HOURS', 24),
    spoolSpans: positive('BATON_RELAY_SPOOL_SPANS', 500_000),
    replaySeconds: positive('BATON_RELAY_REPLAY_SECONDS', 60),
  };
}

/** Where a relay of its own listens. */
export function readRelayBind(named: NamedSettings): { readonly host: string; readonly port: number } {
  const port = readPort('OTEL_A2A_RELAY_PORT', named.OTEL_A2A_RELAY_PORT || '8080');
  return { host: named.OTEL_A2A_RELAY_HOST || '127.0.0.1', port };
}

function readPort(name: string, text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw invalid(name, text, 'a port number');
  return port;
}

function readAuthority(name: string, text: string | undefined): string | undefined {
  if (!text) return undefined;
  if (!/^[^\s/@]+:\d{1,5}$/.test(text)) throw invalid(name, text, 'host:port');
  return text;
}

/** A base address, or `phoenix`: where its spans go. */
function tracesUrl(base: string | undefined): string | undefined {
  if (!base) return undefined;
  return `${base === 'phoenix' ? PHOENIX_URL : base.replace(/\/+$/, '')}/v1/traces`;
}

function readExportUrl(named: NamedSettings): string | undefined {
  const exact = named.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || undefined;
  const name = exact ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const url = exact ?? tracesUrl(named.OTEL_EXPORTER_OTLP_ENDPOINT);
  return url && httpUrl(name, url);
}

/** `A=http://…, B=http://…`; what has no `=` is passed over, as other relays do. */
function readPeers(name: string, text: string | undefined): Record<string, string> {
  const peers = readPairs(text);
  for (const [id, url] of Object.entries(peers)) {
    if (!AGENT_NAME.test(id)) throw invalid(name, id, 'a name of letters, digits and . _ - for each peer');
    httpUrl(name, url);
  }
  return peers;
}

function readPairs(text = ''): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const entry of text.split(',')) {
    const at = entry.indexOf('=');
    if (at > 0) pairs[entry.slice(0, at).trim()] = entry.slice(at + 1).trim();
  }
  return pairs;
}

function readHeaders(text: string | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readPairs(text)).map(([name, value]) => {
      try {
        return [name.toLowerCase(), decodeURIComponent(value)];
      } catch {
        throw invalid('OTEL_EXPORTER_OTLP_HEADERS', name, 'headers as name=value with %-escapes');
      }
    }),
  );
}

function readSwitch(name: string, text = ''): boolean {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  if (/^(|0|false|no|off)$/i.test(text)) return false;
  throw invalid(name, text, 'on or off');
}

function readWord<const T extends string>(
  name: string,
  text: string | undefined,
  words: readonly T[],
): T | undefined {
  if (!text) return undefined;
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw invalid(name, text, `one of ${words.join(', ')}`);
  return word;
}

function readPositive(name: string, text: string | undefined): number | undefined {
  if (!text) return undefined;
  const number = Number(text);
  if (!Number.isFinite(number) || number <= 0) throw invalid(name, text, 'a number above zero');
  return number;
}

/** All of them, unless said otherwise. */
function readShare(name: string, text: string | undefined): number {
  const share = Number(text || 1);
  if (!(share >= 0 && share <= 1)) throw invalid(name, text ?? '', 'a share from 0 to 1');
  return share;
}

function httpUrl(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw invalid(name, text, 'an address that begins with http:// or https://');
  return text;
}

function invalid(name: string, text: string, wanted: string) {
  return relayErrors.settings_unreadable({
    message: `${name} is \`${text.slice(0, 200)}\`; it takes ${wanted}.`,
    next: `Correct ${name} where it is set: in the environment, or in relay.json in the data directory.`,
  });
}

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
