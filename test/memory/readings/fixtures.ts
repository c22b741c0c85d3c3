import { parseInstant } from '../../../src/kernel/instant.ts';
import { type ConsentTraits, grantFor, mayRead } from '../../../src/slices/memory/consent/rules/grant.ts';
import { normalizePolicy } from '../../../src/slices/memory/consent/rules/policy.ts';
import type { Requester } from '../../../src/slices/memory/consent/rules/requester.ts';

export const NOW = parseInstant('2026-03-04T12:00:00Z')!.micros;

export const bot: Requester = { agentDid: 'did:a2p:agent:local:bot' };

export const note: ConsentTraits = {
  type: 'semantic',
  category: 'a2p:preferences.ui',
  sensitivity: 'standard',
  scope: [],
  status: 'approved',
};

export const sees = (memory: Partial<ConsentTraits>, policies: object[], who: Partial<Requester> = {}) =>
  mayRead(
    grantFor(
      policies.map((each) => normalizePolicy({ agentPattern: '*', permissions: ['read_scoped'], ...each })),
      { ...bot, ...who },
      NOW,
    ),
    { ...note, ...memory },
  );

export const code = (work: () => unknown): string => {
  try {
    work();
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

/** The number that the brief of the protocol gives it, what is meant, and the check. */
export type Row = readonly [number, string, () => void];
