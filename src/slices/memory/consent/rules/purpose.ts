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

/** What an agent says that it wants the memories for. */
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

/** A bare word is taken as the type of a purpose that consent stands behind. */
export function readPurpose(given: string | PurposeInput): Purpose {
  const input: PurposeInput = typeof given === 'string' ? { type: given } : given;
  const basis = input.legalBasis ?? 'consent';
  if (!LEGAL_BASES.includes(basis as LegalBasis)) {
    throw memoryErrors.A2P006({ message: `${basis} is no legal basis.`, pointer: '/purpose/legalBasis' });
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
