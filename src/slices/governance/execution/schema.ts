/** What `POST /v1/execute` answers. */
import { z } from 'zod';
import { openObject } from '../schema.ts';

const executeErrorSchema = z.looseObject({
  code: z.string(),
  message: z.string(),
  details: openObject.optional(),
});

export const executeResponseSchema = z.object({
  carp_version: z.literal('1.0'),
  execution_id: z.string(),
  request_id: z.string(),
  resolution_id: z.string(),
  timestamp: z.string(),
  status: z.enum(['success', 'error', 'denied', 'pending_approval']),
  result: z.unknown(),
  error: executeErrorSchema.nullable(),
  trace_id: z.string(),
});
export type ExecuteResponse = z.infer<typeof executeResponseSchema>;
