import { memoryErrors } from '../../errors.ts';

const PURPOSE_TYPES = [
  'personalization',
  'context_enrichment',
  'recommendation',
  'analysis',
  'communication',
  'service_delivery',
  'research',
  'legal_compliance',
  'other',
] as const;
export type PurposeType = (typeof PURPOSE_TYPES)[number];

const LEGAL_BASES = [
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const;
export type LegalBasis = (typeof LEGAL_BASES)[number];

/** What an agent says it wants the memories for. */
export interface Purpose {
  readonly type: PurposeType;
  readonly description: string;
  readonly legalBasis: LegalBasis;
  readonly retention?: string;
  readonly dataUses?: readonly string[];
  readonly thirdParties?: boolean;
  readonly automatedDecisions?: boolean;
  readonly profiling?: boolean;
}

const OTHER_WORDS: Readonly<Record<string, PurposeType>> = {
  support: 'service_delivery',
  compliance: 'legal_compliance',
};

export function purposeType(text: string): PurposeType {
  if (PURPOSE_TYPES.includes(text as PurposeType)) return text as PurposeType;
  return OTHER_WORDS[text] ?? 'other';
}

interface PurposeInput {
  readonly type?: string | undefined;
  readonly description?: string | undefined;
  readonly legalBasis?: string | undefined;
  readonly retention?: string | undefined;
  readonly dataUses?: readonly string[] | undefined;
  readonly sharing?: { readonly thirdParties?: boolean | undefined } | undefined;
  readonly automated?:
    | { readonly decisionMaking?: boolean | undefined; readonly profiling?: boolean | undefined }
    | undefined;
}

/** A bare word is the type of a purpose whose legal basis is consent. */
export function readPurpose(given: string | PurposeInput): Purpose {
  const input: PurposeInput = typeof given === 'string' ? { type: given } : given;
  const basis = input.legalBasis ?? 'consent';
  if (!LEGAL_BASES.includes(basis as LegalBasis)) {
    throw memoryErrors.A2P006({ message: `${basis} is not a legal basis.`, pointer: '/purpose/legalBasis' });
  }
  return {
    type: purposeType(input.type ?? 'other'),
    description: (input.description ?? '').slice(0, 500),
    legalBasis: basis as LegalBasis,
    ...(input.retention !== undefined && { retention: input.retention }),
    ...(input.dataUses && { dataUses: input.dataUses }),
    ...(input.sharing && { thirdParties: input.sharing.thirdParties === true }),
    ...(input.automated && {
      automatedDecisions: input.automated.decisionMaking === true,
      profiling: input.automated.profiling === true,
    }),
  };
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

/** `30d`, `24h`, `1y`, `session_only`, `indefinite` and ISO 8601 (`P30D`, `PT24H`) as seconds; undefined if unreadable. */
export function durationSeconds(text: string): number | undefined {
  if (text === 'session_only') return 0;
  if (text === 'indefinite') return Number.POSITIVE_INFINITY;
  const short = /^(\d{1,6})\s*(s|m|h|d|w|y)$/.exec(text);
  if (short) return Number(short[1]) * (UNITS[short[2] as string] as number);
  const word = /^(\d{1,6})\s*(second|minute|hour|day|week|year)s?$/.exec(text);
  if (word) return Number(word[1]) * (UNITS[(word[2] as string).charAt(0)] as number);
  const iso = /^P(?:(\d+)Y)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!iso || !/\d/.test(text)) return undefined;
  const [years = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = iso
    .slice(1)
    .map((part) => Number(part ?? 0));
  return years * 31_536_000 + weeks * 604_800 + days * 86_400 + hours * 3600 + minutes * 60 + seconds;
}
