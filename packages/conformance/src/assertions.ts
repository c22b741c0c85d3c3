/** The server does not do what the protocol demands. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly details: unknown;

  constructor(message: string, details?: unknown) {
    super(message);
    this.details = details;
  }
}

/** The check cannot be run against this server; the message says why. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/** `details`: what was seen, for a report that machines read. */
export function assert(holds: unknown, message: string, details?: unknown): asserts holds {
  if (!holds) throw new Failure(message, details);
}

/** Compares as JSON, so the order of members counts. */
export function assertEqual(found: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  assert(a === b, `${what}: expected ${clip(b)}, got ${clip(a)}`, { expected, found });
}

function clip(text = 'nothing'): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
