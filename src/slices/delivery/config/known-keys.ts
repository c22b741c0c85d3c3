import { refusalError } from '../errors.ts';
import type { Finding } from '../findings.ts';
import { CONFIG_KEYS } from './keys/config-keys.ts';
import { unknownKeys } from './rules/unknown-keys.ts';

/**
 * Throws for keys that look like a limit and would limit nothing. Returns a warning for each other key that nobody
 * reads. A run checks this before every turn, because a config can be edited while it is in use.
 */
export function requireKnownKeys(rawConfig: unknown): readonly string[] {
  const { refused, ignored } = unknownKeys(rawConfig, CONFIG_KEYS);
  const [first] = refused;
  if (first === undefined) return ignored.map((finding) => finding.message);
  throw refusalError({
    type: 'invalid_config',
    rule: 'config.known_keys',
    field: first.field,
    message: messages(refused),
    next: first.next,
    details: { faults: refused },
  });
}

function messages(findings: readonly Finding[]): string {
  return findings.map(({ message }) => message).join(' ');
}
