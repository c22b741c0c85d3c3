import type { Hasher } from '../../../kernel/hasher.ts';
import { relayErrors } from '../errors.ts';

interface Scheme {
  readonly pattern: RegExp;
  readonly keyOf: (m: string[]) => string;
}

/** A map: whoever asks may name anything, and an object knows `constructor` too. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map(
  Object.entries<Scheme>({
    github: {
      pattern: /^([\w.-]+\/[\w.-]+)[#:](\d+)$/,
      keyOf: ([, repo, issue]) => `${repo}:${Number(issue)}`,
    },
    gitlab: {
      pattern: /^([\w.-]+(?:\/[\w.-]+)+)[#:!](\d+)$/,
      keyOf: ([, path, iid]) => `gitlab:${path}:${Number(iid)}`,
    },
    slack: {
      pattern: /^(\w+)\/(\w+):(\d+\.\d+)$/,
      keyOf: ([, team, channel, ts]) => `slack:${team}/${channel}:${ts}`,
    },
    linear: {
      pattern: /^([\w-]+):([A-Za-z]+-\d+)$/,
      keyOf: ([, space, id]) => `linear:${space}:${id?.toUpperCase()}`,
    },
    channel: { pattern: /^([A-Za-z]{2}\d{2})$/, keyOf: ([, id]) => `channel:${id?.toUpperCase()}` },
  }),
);

/** `github:owner/repo#1` → 16 hex digits: the same for everyone who names the same place, with nobody to ask. */
export function deriveSessionId(reference: string, hasher: Hasher): string {
  const colon = reference.indexOf(':');
  const scheme = SCHEMES.get(reference.slice(0, colon));
  const match = scheme?.pattern.exec(reference.slice(colon + 1));
  if (!scheme || !match) {
    throw relayErrors.invalid_session_reference({
      message: `\`${reference}\` names no place that a session id can be derived from.`,
    });
  }
  return hasher.hex(scheme.keyOf([...match])).slice(0, 16);
}
