import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { WorkBudget } from '../platform/bounded-work/bounded-work.ts';
import { RELAY_VARIABLES } from '../slices/relay/variables.ts';
import { DEFAULT_QUOTAS, type QuotaSettings } from '../spine/identity/settings.ts';
import { agentSessionOf } from './agent-session.ts';
import { appErrors } from './errors.ts';
import {
  bindAddress,
  decimal,
  flag,
  hosts,
  integer,
  list,
  oneOf,
  type SettingType,
  storeAddress,
  text,
  webAddress,
} from './setting-types.ts';
import { problemsTogether, type SettingProblem, unknownSettings } from './settings-rules.ts';

/** Everything that can be set from outside, read once at start. */
export interface Settings {
  /** Where keys, the embedded store and the running server's address are kept. */
  readonly dataDir: string;
  /** `sqlite:PATH` or `postgres://…`. */
  readonly databaseUrl: string;
  /** How many connections of PostgreSQL read at once; the store's own choice unless set. */
  readonly databaseConnections: number | undefined;
  /** After how long PostgreSQL ends a statement; never unless set. */
  readonly statementSeconds: number | undefined;
  readonly host: string;
  readonly port: number;
  /** A server elsewhere, for the command line. */
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa?: string } | undefined;
  /** A proxy in front ends TLS, so a bind beyond loopback is meant. */
  readonly behindProxy: boolean;
  /** How long a server that was told to stop serves on while requests keep coming. */
  readonly drainSeconds: number;
  readonly allowedHosts: readonly string[];
  /** `host` or `host:port` that executors of actions may reach although it is private. */
  readonly allowedExecutorHosts: readonly string[];
  /** Keys that encrypt event payloads in the store; without them, payloads are stored as plain text. */
  readonly payloadKeys: PayloadKeySettings | undefined;
  /** How many days payloads of ended sessions are kept, at least one; forever unless set. */
  readonly retentionDays: number | undefined;
  /** Where checkpoints are kept outside the store; nowhere unless set. */
  readonly checkpointFolder: string | undefined;
  /** Servers that are asked to cosign checkpoints, each as `URL KEY`. */
  readonly witnesses: readonly string[];
  /** `host` or `host:port` of witnesses that may be reached although it is private. */
  readonly allowedWitnessHosts: readonly string[];
  /** Where people reach the dashboard, for links in notifications; the server’s own address unless set. */
  readonly publicUrl: string | undefined;
  /** What seals addresses of notifications, in base64, where several machines share a store. */
  readonly notifyKey: string | undefined;
  /** `host` or `host:port` that notifications may be sent to although it is private. */
  readonly allowedNotifyHosts: readonly string[];
  /** What is removed from texts before they become part of hashed events. */
  readonly redact: RedactSettings;
  /** Loads Atlases in the spellings that are in use elsewhere, too. */
  readonly lenientAtlases: boolean;
  readonly strictVersions: boolean;
  readonly jwt: JwtSettings | undefined;
  /** A model of the user's own for search; without one, the word vectors that come with Baton. */
  readonly embedder: ModelSettings | undefined;
  /** A model that reads what people said after the rules, and proposes too. */
  readonly proposer: ModelSettings | undefined;
  readonly a2p: A2pSettings;
  /** The relay's own, by the names that they have in the environment; the slice reads them. */
  readonly relay: Readonly<Record<string, string>>;
  /** How much a credential may have stored in a day. */
  readonly quotas: QuotaSettings;
  /** What one piece of expensive work that a caller asks for may use. */
  readonly work: WorkBudget;
  /** The authorization server that lets clients into MCP, where it is not ours; its tokens are checked by `jwt`. */
  readonly mcpIssuer: string | undefined;
  /** Which tools MCP lists: `core`, with the rest found on demand, or `all`. */
  readonly mcpTools: 'core' | 'all';
  readonly logLevel: string;
  /** Writes a line for every request to the log. */
  readonly logRequests: boolean;
  /** Where traces of our own requests are sent, by OTLP over HTTP; nowhere unless set. */
  readonly tracesUrl: string | undefined;
  /** Variables that begin as settings do and are none. */
  readonly unknown: readonly SettingProblem[];
  /** The variable by which an agent's session is known, if this process runs in one. */
  readonly agentSession: string | undefined;
}

export interface A2pSettings {
  /** Accepts DIDs without a namespace and returns 404 for unknown ones, as the external conformance tool expects. */
  readonly lenient: boolean;
  /** How many memory reads an agent has per hour; the protocol's 100 unless set. */
  readonly readsPerHour: number | undefined;
}

/** A model behind HTTP. */
export interface ModelSettings {
  readonly kind: 'ollama' | 'openai';
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string;
}

export type PayloadKeySettings = { readonly file: string } | { readonly text: string };

export interface RedactSettings {
  /** What looks like a key, a token, a card or an address. */
  readonly secrets: boolean;
  /** The user's own regular expressions, one per line. */
  readonly file: string | undefined;
}

export interface JwtSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly jwks: { readonly url: string };
  readonly claims?: { readonly speaksFor: string };
}

const SETTINGS = {
  BATON_DATA: text,
  BATON_DATABASE_URL: storeAddress,
  BATON_DATABASE_CONNECTIONS: integer(1, 500),
  BATON_DATABASE_STATEMENT_SECONDS: integer(1, 86_400),
  BATON_HOST: bindAddress,
  BATON_PORT: integer(0, 65_535),
  BATON_URL: webAddress,
  BATON_TOKEN: text,
  BATON_TLS_CERT: text,
  BATON_TLS_KEY: text,
  BATON_TLS_CLIENT_CA: text,
  BATON_BEHIND_PROXY: flag,
  BATON_DRAIN_SECONDS: decimal(0),
  BATON_ALLOWED_HOSTS: hosts,
  BATON_ALLOWED_EXECUTOR_HOSTS: hosts,
  BATON_ALLOWED_WITNESS_HOSTS: hosts,
  BATON_ALLOWED_NOTIFY_HOSTS: hosts,
  BATON_NOTIFY_KEY: text,
  BATON_PUBLIC_URL: webAddress,
  BATON_PAYLOAD_KEYS: text,
  BATON_PAYLOAD_KEY_FILE: text,
  // A trace is kept for at least a day (TRACE 4.6).
  BATON_RETENTION_DAYS: decimal(1),
  BATON_CHECKPOINT_FOLDER: text,
  BATON_WITNESSES: list,
  BATON_REDACT: oneOf('secrets'),
  BATON_REDACT_FILE: text,
  BATON_LENIENT_ATLASES: flag,
  BATON_STRICT_VERSIONS: flag,
  BATON_JWT_ISSUER: text,
  BATON_JWT_JWKS_URL: webAddress,
  BATON_JWT_AUDIENCE: text,
  BATON_JWT_SPEAKS_FOR_CLAIM: text,
  BATON_EMBEDDER: oneOf('ollama', 'openai'),
  BATON_EMBEDDER_URL: webAddress,
  BATON_EMBEDDER_MODEL: text,
  BATON_EMBEDDER_KEY: text,
  BATON_PROPOSER: oneOf('ollama', 'openai'),
  BATON_PROPOSER_URL: webAddress,
  BATON_PROPOSER_MODEL: text,
  BATON_PROPOSER_KEY: text,
  BATON_A2P_LENIENT: flag,
  BATON_A2P_READS_PER_HOUR: integer(1),
  BATON_QUOTA_WRITES_PER_DAY: integer(0),
  BATON_QUOTA_BYTES_PER_DAY: integer(0),
  BATON_WORK_SECONDS: decimal(0.1),
  BATON_WORK_MB: integer(1),
  BATON_MCP_ISSUER: text,
  BATON_MCP_TOOLS: oneOf('core', 'all'),
  BATON_LOG: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  BATON_LOG_REQUESTS: flag,
  BATON_TRACES_URL: webAddress,
} as const satisfies Readonly<Record<string, SettingType<unknown>>>;

type Name = keyof typeof SETTINGS;
type Value<N extends Name> = NonNullable<ReturnType<(typeof SETTINGS)[N]['read']>>;
type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_PORT = 7373;

/** Throws `settings_invalid`, which names every setting that is wrong and what is allowed. An empty one is not set. */
export function readSettings(env: Environment): Settings {
  const problems: SettingProblem[] = [];
  function read<N extends Name>(name: N): Value<N> | undefined {
    const given = env[name]?.trim();
    if (!given) return undefined;
    const { read: parse, allowed } = SETTINGS[name] as SettingType<Value<N>>;
    const value = parse(given);
    if (value === undefined)
      problems.push({ name, problem: `is ${quoted(name, given)}; allowed: ${allowed}` });
    return value;
  }
  const settings = readAll(read, env);
  problems.push(...problemsTogether(env));
  if (problems.length > 0) throw settingsInvalid(problems);
  return settings;
}

function settingsInvalid(problems: readonly SettingProblem[]): Error {
  return appErrors.settings_invalid({
    message: problems.map(({ name, problem }) => `${name} ${problem}.`).join(' '),
    details: { settings: problems },
  });
}

const SECRET = /TOKEN|KEYS?$|DATABASE_URL|EMBEDDER_KEY/;
const LONGEST_SHOWN = 60;

function quoted(name: string, given: string): string {
  return SECRET.test(name) ? 'of another form' : `"${given.slice(0, LONGEST_SHOWN)}"`;
}

/** Variables that begin as settings do and are none, each with the nearest name. */
export function unknownIn(env: Environment): SettingProblem[] {
  return unknownSettings(env, [...Object.keys(SETTINGS), ...RELAY_VARIABLES]);
}

type Read = <N extends Name>(name: N) => Value<N> | undefined;

function readAll(read: Read, env: Environment): Settings {
  const dataDir = resolve(read('BATON_DATA') ?? join(homedir(), '.baton'));
  const checkpointFolder = read('BATON_CHECKPOINT_FOLDER');
  return {
    dataDir,
    databaseUrl: read('BATON_DATABASE_URL') ?? `sqlite:${join(dataDir, 'baton.db')}`,
    databaseConnections: read('BATON_DATABASE_CONNECTIONS'),
    statementSeconds: read('BATON_DATABASE_STATEMENT_SECONDS'),
    host: read('BATON_HOST') ?? '127.0.0.1',
    port: read('BATON_PORT') ?? DEFAULT_PORT,
    url: read('BATON_URL'),
    token: read('BATON_TOKEN'),
    tls: readTls(read),
    behindProxy: read('BATON_BEHIND_PROXY') ?? false,
    drainSeconds: read('BATON_DRAIN_SECONDS') ?? 5,
    allowedHosts: read('BATON_ALLOWED_HOSTS') ?? [],
    allowedExecutorHosts: read('BATON_ALLOWED_EXECUTOR_HOSTS') ?? [],
    payloadKeys: readPayloadKeys(read),
    retentionDays: read('BATON_RETENTION_DAYS'),
    checkpointFolder: checkpointFolder === undefined ? undefined : resolve(checkpointFolder),
    witnesses: read('BATON_WITNESSES') ?? [],
    allowedWitnessHosts: read('BATON_ALLOWED_WITNESS_HOSTS') ?? [],
    publicUrl: read('BATON_PUBLIC_URL'),
    notifyKey: read('BATON_NOTIFY_KEY'),
    allowedNotifyHosts: read('BATON_ALLOWED_NOTIFY_HOSTS') ?? [],
    redact: { secrets: read('BATON_REDACT') === 'secrets', file: read('BATON_REDACT_FILE') },
    lenientAtlases: read('BATON_LENIENT_ATLASES') ?? false,
    strictVersions: read('BATON_STRICT_VERSIONS') ?? false,
    jwt: readJwt(read),
    embedder: readModel(read, 'BATON_EMBEDDER'),
    proposer: readModel(read, 'BATON_PROPOSER'),
    a2p: {
      lenient: read('BATON_A2P_LENIENT') ?? false,
      readsPerHour: read('BATON_A2P_READS_PER_HOUR'),
    },
    relay: readRelay(env),
    quotas: {
      writesPerDay: read('BATON_QUOTA_WRITES_PER_DAY') ?? DEFAULT_QUOTAS.writesPerDay,
      bytesPerDay: read('BATON_QUOTA_BYTES_PER_DAY') ?? DEFAULT_QUOTAS.bytesPerDay,
    },
    work: { seconds: read('BATON_WORK_SECONDS') ?? 10, megabytes: read('BATON_WORK_MB') ?? 64 },
    mcpIssuer: read('BATON_MCP_ISSUER'),
    mcpTools: read('BATON_MCP_TOOLS') ?? 'core',
    logLevel: read('BATON_LOG') ?? 'info',
    logRequests: read('BATON_LOG_REQUESTS') ?? false,
    tracesUrl: read('BATON_TRACES_URL'),
    agentSession: agentSessionOf(env),
    unknown: unknownIn(env),
  };
}

const RELAY_NAME = /^(OTEL_EXPORTER_OTLP|OTEL_A2A_RELAY|OPENINFERENCE|BATON_RELAY)_/;

/** The slice checks these itself: they can also come from its file and from the command line. */
function readRelay(env: Environment): Readonly<Record<string, string>> {
  const own = Object.entries(env).filter(([name, value]) => RELAY_NAME.test(name) && value !== undefined);
  return Object.fromEntries(own) as Record<string, string>;
}

function readTls(read: Read): Settings['tls'] {
  const cert = read('BATON_TLS_CERT');
  const key = read('BATON_TLS_KEY');
  const clientCa = read('BATON_TLS_CLIENT_CA');
  return cert && key ? { cert, key, ...(clientCa && { clientCa }) } : undefined;
}

function readJwt(read: Read): JwtSettings | undefined {
  const issuer = read('BATON_JWT_ISSUER');
  const url = read('BATON_JWT_JWKS_URL');
  const audience = read('BATON_JWT_AUDIENCE') ?? 'baton';
  const speaksFor = read('BATON_JWT_SPEAKS_FOR_CLAIM');
  if (!issuer || !url) return undefined;
  return { issuer, audience, jwks: { url }, ...(speaksFor && { claims: { speaksFor } }) };
}

function readPayloadKeys(read: Read): PayloadKeySettings | undefined {
  const file = read('BATON_PAYLOAD_KEY_FILE');
  const keys = read('BATON_PAYLOAD_KEYS');
  if (file) return { file };
  return keys ? { text: keys } : undefined;
}

function readModel(read: Read, name: 'BATON_EMBEDDER' | 'BATON_PROPOSER'): ModelSettings | undefined {
  const kind = read(name);
  const url = read(`${name}_URL`);
  const model = read(`${name}_MODEL`);
  const apiKey = read(`${name}_KEY`);
  if (!kind || !url || !model) return undefined;
  return { kind, url, model, ...(apiKey && { apiKey }) };
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
