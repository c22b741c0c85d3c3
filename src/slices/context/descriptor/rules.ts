import { contextErrors } from '../errors.ts';

export const extensions = [
  'events/1',
  'changes/1',
  'attest/1',
  'redact/1',
  'lineage/1',
  'refs/1',
  'cas/1',
  'review/1',
  'blobs/1',
  'transfer/1',
  'anchors/1',
] as const;

const LEVELS = ['L0', 'L1', 'L2', 'L3'];

/** `Relay-Want: L2; ext="events/1"`: refuses, and names, what this server does not support. */
export function requireSupported(header: string | undefined): void {
  if (header === undefined) return;
  const [level = '', ...rest] = header.split(';').map((part) => part.trim());
  const named = rest.flatMap((part) => [...(/^ext\s*=\s*"([^"]*)"$/.exec(part)?.slice(1) ?? [])]);
  const wanted = named.flatMap((list) => list.split(/[\s,]+/)).filter(Boolean);
  const missing =
    level !== '' && !LEVELS.includes(level)
      ? level
      : wanted.find((name) => !(extensions as readonly string[]).includes(name));
  if (missing === undefined) return;
  throw contextErrors.not_implemented({
    message: `This server does not support ${missing}.`,
    details: { missing_capability: missing },
  });
}
