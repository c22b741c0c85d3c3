import type { AttributeProfile } from './rules/attribute-registry.ts';
import { type ContentPolicy, DEFAULT_CONTENT } from './rules/content.ts';
import type { TracePolicy } from './rules/trace-context.ts';

export interface RelaySettings {
  /** Peers known from the start: name → address. */
  readonly peers: Readonly<Record<string, string>>;
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
  readonly spoolSpans: number;
  /** How long an upstream is read on after its caller left, so that it can come back. */
  readonly replaySeconds: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const PHOENIX_URL = 'http://localhost:6006';

export function readRelaySettings(env: Environment): RelaySettings {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? tracesUrl(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  return {
    peers: readPeers(env.OTEL_A2A_RELAY_PEERS),
    starEnforce: isOn(env.OTEL_A2A_RELAY_STAR_ENFORCE),
    synthesize: isOn(env.BATON_RELAY_SYNTHESIZE),
    tracePolicy: oneOf(env.BATON_RELAY_TRACE_POLICY, ['continue', 'burst', 'restart', 'drop'], 'continue'),
    content: {
      mode: oneOf(env.BATON_RELAY_CONTENT, ['full', 'redacted', 'none'], DEFAULT_CONTENT.mode),
      hideInputs: isOn(env.OPENINFERENCE_HIDE_INPUTS) || isOn(env.OPENINFERENCE_HIDE_INPUT_TEXT),
      hideOutputs: isOn(env.OPENINFERENCE_HIDE_OUTPUTS) || isOn(env.OPENINFERENCE_HIDE_OUTPUT_TEXT),
    },
    profiles: new Set(
      (env.BATON_RELAY_SEMCONV ?? 'o2r,a2a,genai')
        .split(',')
        .map((name) => name.trim()) as AttributeProfile[],
    ),
    exportUrl: endpoint,
    exportHeaders: readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutSeconds: positive(env.BATON_RELAY_TIMEOUT_SECONDS, 120),
    idleSeconds: positive(env.BATON_RELAY_IDLE_SECONDS, 300),
    maxBodyBytes: positive(env.BATON_RELAY_MAX_BODY_BYTES, 16 * 1024 * 1024),
    maxConcurrent: positive(env.BATON_RELAY_MAX_CONCURRENT, 1000),
    retentionDays: positive(env.BATON_RELAY_RETENTION_DAYS, 30),
    retentionSpans: positive(env.BATON_RELAY_RETENTION_SPANS, 2_000_000),
    spoolSpans: positive(env.BATON_RELAY_SPOOL_SPANS, 500_000),
    replaySeconds: positive(env.BATON_RELAY_REPLAY_SECONDS, 60),
  };
}

export function tracesUrl(base: string | undefined): string | undefined {
  if (!base) return undefined;
  return `${base === 'phoenix' ? PHOENIX_URL : base.replace(/\/+$/, '')}/v1/traces`;
}

/** `A=http://…, B=http://…`; what has no `=` is passed over. */
function readPeers(text = ''): Record<string, string> {
  const peers: Record<string, string> = {};
  for (const entry of text.split(',')) {
    const at = entry.indexOf('=');
    if (at > 0) peers[entry.slice(0, at).trim()] = entry.slice(at + 1).trim();
  }
  return peers;
}

function readHeaders(text = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(readPeers(text)).map(([name, value]) => [name.toLowerCase(), decodeURIComponent(value)]),
  );
}

function isOn(text: string | undefined): boolean {
  return /^(1|true|yes|on)$/i.test(text ?? '');
}

function oneOf<const T extends string>(text: string | undefined, values: readonly T[], fallback: T): T {
  return values.find((value) => value === text) ?? fallback;
}

function positive(text: string | undefined, fallback: number): number {
  const number = Number(text);
  return Number.isFinite(number) && number > 0 ? number : fallback;
}
