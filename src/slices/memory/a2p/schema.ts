import { z } from 'zod';
import { documentSchema } from '../schema.ts';

const limit = z.number().int().min(1).max(200).optional();
const offset = z.number().int().min(0).max(1_000_000).optional();

export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('The same request with the same key gets its first answer; another one is refused.'),
});

export const profileQuery = z.object({ scopes: z.array(z.string()).optional() });
export const memoriesQuery = z.object({
  category: z.string().optional(),
  type: z.string().optional(),
  scopes: z.array(z.string()).optional(),
  query: z.string().max(2000).optional(),
  session_id: z.string().max(200).optional(),
  limit,
  offset,
});
export const proposalsQuery = z.object({
  status: z.string().optional(),
  shape: z.enum(['flat', 'schema']).optional(),
  limit,
  offset,
});
export const accessRequest = z.looseObject({
  scopes: z.array(z.string()).min(1).max(100),
  purpose: z.union([z.string(), documentSchema]),
});
export const reviewInput = z.looseObject({
  action: z.enum(['approve', 'reject']),
  editedContent: z.string().optional(),
  editedCategory: z.string().optional(),
  reason: z.string().max(1000).optional(),
});
