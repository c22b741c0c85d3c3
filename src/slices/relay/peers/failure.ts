/** Why an exchange failed, as spans and JSON-RPC errors say it. */
export const FAILURE_CLASSES = [
  'topology_violation',
  'peer_disconnect',
  'peer_404',
  'peer_5xx',
  'peer_auth',
  'peer_busy',
  'timeout',
  'peer_jsonrpc_error',
  'version_not_supported',
  'client_disconnect',
  'relay_overload',
  'governance_refused',
  'task_failed',
  'recovered',
  'unknown',
] as const;

export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** What went wrong between the relay and a peer. Its class comes from what happened, never from a message. */
export class PeerFailure extends Error {
  readonly failureClass: FailureClass;
  /** The peer's HTTP status, where it answered. */
  readonly status: number | undefined;
  /** Nothing of the request can have come to the peer. */
  readonly neverSent: boolean;

  constructor(
    failureClass: FailureClass,
    message: string,
    status?: number,
    cause?: unknown,
    { neverSent = false }: { readonly neverSent?: boolean } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'PeerFailure';
    this.failureClass = failureClass;
    this.status = status;
    this.neverSent = neverSent;
  }
}

export function classOfStatus(status: number): FailureClass | undefined {
  if (status === 401 || status === 403) return 'peer_auth';
  if (status === 429) return 'peer_busy';
  if (status === 404) return 'peer_404';
  if (status === 408 || status === 504) return 'timeout';
  return status >= 500 ? 'peer_5xx' : undefined;
}

const RESET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
]);

export function failureOf(thrown: unknown): PeerFailure {
  if (thrown instanceof PeerFailure) return thrown;
  const code = (thrown as { code?: unknown } | null)?.code;
  if (code === 'ETIMEDOUT' || (thrown as Error | null)?.name === 'TimeoutError') {
    return new PeerFailure('timeout', 'The peer did not answer in time.', undefined, thrown);
  }
  if (
    typeof code === 'string' &&
    (RESET_CODES.has(code) ||
      code.startsWith('HPE_') ||
      code.startsWith('UND_ERR_') ||
      code.startsWith('ERR_TLS') ||
      code.startsWith('CERT_'))
  ) {
    return new PeerFailure('peer_disconnect', `The peer cannot be reached (${code}).`, undefined, thrown);
  }
  return new PeerFailure('unknown', 'The exchange with the peer failed.', undefined, thrown);
}

/** The same, of a request that did not leave. */
export function neverSent({ failureClass, message, status, cause }: PeerFailure): PeerFailure {
  return new PeerFailure(failureClass, message, status, cause, { neverSent: true });
}
