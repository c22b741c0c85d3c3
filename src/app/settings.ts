import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { WorkBudget } from '../platform/bounded-work/bounded-work.ts';
import { DEFAULT_QUOTAS, type QuotaSettings } from '../spine/identity/settings.ts';
import { agentSessionOf } from './agent-session.ts';

/** Everything that can be set from outside, read once at start. */
export interface Settings {
  /** Where keys, the embedded store and the running server's address are kept. */
  readonly dataDir: string;
  /** `sqlite:PATH` or `postgres://…`. */
  readonly databaseUrl: string;
  readonly host: string;
  readonly port: number;
  /** A server elsewhere, for the command line. */
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly tls: { readonly cert: string; readonly key: string; readonly clientCa?: string } | undefined;
  /** A proxy in front ends TLS, so a bind beyond loopback is meant. */
  readonly behindProxy: boolean;
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
  /** What is removed from texts before they become part of hashed events. */
  readonly redact: RedactSettings;
  /** Loads Atlases in the spellings that are in use elsewhere, too. */
  readonly lenientAtlases: boolean;
  readonly strictVersions: boolean;
  readonly jwt: JwtSettings | undefined;
  /** A model of the user's own for search; without one, the word vectors that come with Baton. */
  readonly embedder: EmbedderSettings | undefined;
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
  /** The variable by which an agent's session is known, if this process runs in one. */
  readonly agentSession: string | undefined;
}

export interface A2pSettings {
  /** Accepts DIDs without a namespace and returns 404 for unknown ones, as the external conformance tool expects. */
  readonly lenient: boolean;
  /** How many memory reads an agent has per hour; the protocol's 100 unless set. */
  readonly readsPerHour: number | undefined;
}

export interface EmbedderSettings {
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

const DEFAULT_PORT = 7373;

export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const dataDir = resolve(env.BATON_DATA ?? join(homedir(), '.baton'));
  return {
    dataDir,
    databaseUrl: env.BATON_DATABASE_URL ?? `sqlite:${join(dataDir, 'baton.db')}`,
    host: env.BATON_HOST ?? '127.0.0.1',
    port: env.BATON_PORT === undefined ? DEFAULT_PORT : Number(env.BATON_PORT),
    url: env.BATON_URL || undefined,
    token: env.BATON_TOKEN,
    tls:
      env.BATON_TLS_CERT && env.BATON_TLS_KEY
        ? {
            cert: env.BATON_TLS_CERT,
            key: env.BATON_TLS_KEY,
            ...(env.BATON_TLS_CLIENT_CA && { clientCa: env.BATON_TLS_CLIENT_CA }),
          }
        : undefined,
    behindProxy: env.BATON_BEHIND_PROXY === '1',
    allowedHosts: readList(env.BATON_ALLOWED_HOSTS),
    allowedExecutorHosts: readList(env.BATON_ALLOWED_EXECUTOR_HOSTS),
    payloadKeys: readPayloadKeys(env),
    retentionDays: readRetention(env.BATON_RETENTION_DAYS),
    checkpointFolder: env.BATON_CHECKPOINT_FOLDER ? resolve(env.BATON_CHECKPOINT_FOLDER) : undefined,
    witnesses: readList(env.BATON_WITNESSES?.replaceAll('\n', ',')),
    allowedWitnessHosts: readList(env.BATON_ALLOWED_WITNESS_HOSTS),
    redact: { secrets: env.BATON_REDACT === 'secrets', file: env.BATON_REDACT_FILE },
    lenientAtlases: env.BATON_LENIENT_ATLASES === '1',
    strictVersions: env.BATON_STRICT_VERSIONS === '1',
    jwt:
      env.BATON_JWT_ISSUER && env.BATON_JWT_JWKS_URL
        ? {
            issuer: env.BATON_JWT_ISSUER,
            audience: env.BATON_JWT_AUDIENCE ?? 'baton',
            jwks: { url: env.BATON_JWT_JWKS_URL },
            ...(env.BATON_JWT_SPEAKS_FOR_CLAIM && { claims: { speaksFor: env.BATON_JWT_SPEAKS_FOR_CLAIM } }),
          }
        : undefined,
    embedder: readEmbedder(env),
    a2p: {
      lenient: env.BATON_A2P_LENIENT === '1',
      readsPerHour: Number(env.BATON_A2P_READS_PER_HOUR) || undefined,
    },
    relay: readRelay(env),
    quotas: {
      writesPerDay: readQuota(env.BATON_QUOTA_WRITES_PER_DAY, DEFAULT_QUOTAS.writesPerDay),
      bytesPerDay: readQuota(env.BATON_QUOTA_BYTES_PER_DAY, DEFAULT_QUOTAS.bytesPerDay),
    },
    work: {
      seconds: positive(env.BATON_WORK_SECONDS, 10),
      megabytes: positive(env.BATON_WORK_MB, 64),
    },
    mcpIssuer: env.BATON_MCP_ISSUER || undefined,
    mcpTools: env.BATON_MCP_TOOLS === 'all' ? 'all' : 'core',
    logLevel: env.BATON_LOG ?? 'info',
    agentSession: agentSessionOf(env),
  };
}

const RELAY_NAME = /^(OTEL_EXPORTER_OTLP|OTEL_A2A_RELAY|OPENINFERENCE|BATON_RELAY)_/;

function readRelay(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const own = Object.entries(env).filter(([name, value]) => RELAY_NAME.test(name) && value !== undefined);
  return Object.fromEntries(own) as Record<string, string>;
}

/** 0 is no limit. */
function readQuota(text: string | undefined, otherwise: number): number {
  const given = Number(text);
  return text !== undefined && text !== '' && given >= 0 ? Math.floor(given) : otherwise;
}

function positive(text: string | undefined, otherwise: number): number {
  const given = Number(text);
  return given > 0 ? given : otherwise;
}

function readList(text = ''): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}

/** A trace is kept for at least a day (TRACE 4.6). */
function readRetention(text: string | undefined): number | undefined {
  const days = Number(text);
  return text === undefined || !(days > 0) ? undefined : Math.max(1, days);
}

function readPayloadKeys(env: Readonly<Record<string, string | undefined>>): PayloadKeySettings | undefined {
  if (env.BATON_PAYLOAD_KEY_FILE) return { file: env.BATON_PAYLOAD_KEY_FILE };
  return env.BATON_PAYLOAD_KEYS ? { text: env.BATON_PAYLOAD_KEYS } : undefined;
}

function readEmbedder(env: Readonly<Record<string, string | undefined>>): EmbedderSettings | undefined {
  const { BATON_EMBEDDER: kind, BATON_EMBEDDER_URL: url, BATON_EMBEDDER_MODEL: model } = env;
  if ((kind !== 'ollama' && kind !== 'openai') || !url || !model) return undefined;
  return { kind, url, model, ...(env.BATON_EMBEDDER_KEY && { apiKey: env.BATON_EMBEDDER_KEY }) };
}

/** Whether only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}
