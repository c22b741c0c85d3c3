/** The words that CRA's formats share. */
import { z } from 'zod';
import { parseInstant } from '../../kernel/instant.ts';
import { jsonPointer } from '../../kernel/json/pointer.ts';

/** JSON Schema keywords for what zod checks with a function; the published schemas are derived with them. */
export const publishedAs = z.registry<Record<string, unknown>>();

/** Counts characters, as JSON Schema does; zod's own bounds count UTF-16 units. */
export function boundedText(min: number, max: number) {
  return z
    .string()
    .superRefine((value, context) => {
      const length = value.length > max ? Array.from(value).length : value.length;
      if (length >= min && length <= max) return;
      context.addIssue({
        code: 'custom',
        message: min > 0 ? `Must have ${min} to ${max} characters` : `Must have at most ${max} characters`,
      });
    })
    .register(publishedAs, { minLength: min, maxLength: max });
}

/** `format` alone is an annotation in draft 2020-12, so the published form has a pattern too. */
export const instantText = z
  .string()
  .refine((value) => parseInstant(value) !== undefined, 'Must be an RFC 3339 instant with a time zone')
  .register(publishedAs, {
    format: 'date-time',
    pattern: '^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$',
  });

export const ATLAS_ID = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9-]*)+$/;
const ACTION_ID = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/;
export const CAPABILITY_ID = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)*$/;
export const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;
/** The offset of a full RFC 3339 time is accepted and ignored: the window names its zone. */
export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

export const atlasIdSchema = z
  .string()
  .regex(ATLAS_ID, 'Must be reverse domain notation, as com.example.support');
export const actionIdSchema = z
  .string()
  .regex(ACTION_ID, 'Must be dot-separated lower-case words, as ticket.lookup');

export const RISK_TIERS = ['low', 'medium', 'high', 'critical'] as const;
export const riskTierSchema = z.enum(RISK_TIERS);
export type RiskTier = z.infer<typeof riskTierSchema>;

export const openObject = z.record(z.string(), z.unknown());

/** The parameters that operations of several subjects take. */
export const acceptHeader = z.object({ accept: z.string().optional() });

export interface Issue {
  readonly pointer: string;
  readonly message: string;
}

/** Every issue with the pointer of the member itself, even if that is missing or unknown. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    if (issue.code !== 'unrecognized_keys') return [{ pointer: jsonPointer(path), message: issue.message }];
    return issue.keys.map((key) => ({
      pointer: jsonPointer([...path, key]),
      message: `Unknown member ${JSON.stringify(key)}`,
    }));
  });
}

/** The media types of section 9.1. */
export const MEDIA_TYPES = {
  carp: 'application/vnd.cra.carp+json',
  trace: 'application/vnd.cra.trace+json',
  traceLines: 'application/vnd.cra.trace+jsonl',
  atlas: 'application/vnd.cra.atlas+json',
  ndjson: 'application/x-ndjson',
} as const;

/** The protocol's own type for whoever asks for it; plain JSON for everyone else. */
export function answerType(accept: string | undefined, own: string): Record<string, string> {
  return accept?.toLowerCase().includes(own) ? { 'content-type': own } : {};
}

/** The line format that the caller asks for, if any. */
export function linesType(accept: string | null | undefined): string | undefined {
  const wanted = accept?.toLowerCase() ?? '';
  if (wanted.includes(MEDIA_TYPES.traceLines)) return MEDIA_TYPES.traceLines;
  return wanted.includes(MEDIA_TYPES.ndjson) ? MEDIA_TYPES.ndjson : undefined;
}
