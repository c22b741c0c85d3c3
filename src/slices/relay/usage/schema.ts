import { z } from 'zod';
import { parseInstant } from '../../../kernel/instant.ts';

export const instant = z
  .string()
  .max(64)
  .refine((text) => parseInstant(text) !== undefined, 'This is no time as RFC 3339 writes it.');

export function microsOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseInstant(text)?.micros;
}

const dollars = z.number().min(0).max(1_000_000);

export const priceSchema = z.object({
  model: z.string().min(1).max(200).describe('A model, or a pattern with `*` and `?`.'),
  from: instant.optional().describe('From when on it holds; from the beginning of time if absent.'),
  input: dollars.describe('US dollars per million input tokens.'),
  output: dollars.describe('US dollars per million output tokens.'),
  cache_read: dollars.optional().describe('Per million tokens read from a cache; as `input` if absent.'),
  cache_write: dollars.optional().describe('Per million tokens written to a cache; as `input` if absent.'),
});

export const storedPriceSchema = priceSchema.extend({ from: z.string(), set_by: z.string() });

export const tokensSchema = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  cache_read_tokens: z.int().describe('Part of the input tokens.'),
  cache_write_tokens: z.int().describe('Part of the input tokens.'),
});

export const costSchema = tokensSchema.extend({
  cost_usd: z.number().describe('What spans say themselves, and tokens times the price of their model.'),
  unpriced_tokens: z.int().describe('Tokens of models without a price, which `cost_usd` leaves out.'),
});
export type CostView = z.infer<typeof costSchema>;

export const sumsSchema = costSchema.extend({
  spans: z.int(),
  errors: z.int(),
  error_rate: z.number(),
  mean_ms: z.number(),
  p50_ms: z.number().describe('Percentiles are within a tenth of the exact value.'),
  p95_ms: z.number(),
  p99_ms: z.number(),
});
export type SumsView = z.infer<typeof sumsSchema>;

export const STATS_BY = ['agent', 'peer', 'model', 'tool', 'kind', 'edge'] as const;
export const STATS_SORT = ['spans', 'errors', 'error_rate', 'p95', 'tokens', 'cost'] as const;

export const statsSchema = z.object({
  from: z.string(),
  to: z.string(),
  items: z.array(
    sumsSchema.extend({
      key: z.string(),
      series: z.array(sumsSchema.extend({ at: z.string() })).optional(),
    }),
  ),
  more: z.boolean().describe('Whether there are more keys than `limit`.'),
  complete: z.boolean().describe('False when spans of this time are not summed up yet, or too many to read.'),
});
export type StatsView = z.infer<typeof statsSchema>;
