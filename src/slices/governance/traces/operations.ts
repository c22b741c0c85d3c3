import { z } from 'zod';
import { defineOperations, outside, raw, read, stream } from '../../../spine/operations/define.ts';
import { recordedCallSchema } from '../impact/schema.ts';
import { acceptHeader } from '../schema.ts';
import { sessionPath } from '../sessions/schema.ts';
import {
  recordedInputSchema,
  traceEventSchema,
  traceQuerySchema,
  traceVerificationSchema,
} from './schema.ts';

const UNREADABLE = ['session_not_found', 'session_not_owned'];

export const traceOperations = defineOperations({
  'trace.stream': {
    ...stream('cra', 'trace:read'),
    summary: 'Follow the trace of a session, event by event.',
    input: {
      query: z.object({ session_id: z.string(), since_sequence: z.int().min(-1).optional() }),
      headers: z.object({ 'last-event-id': z.int().min(-1).optional() }),
    },
    output: traceEventSchema,
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/traces/stream' },
    cli: { command: 'trace tail', positionals: ['session_id'] },
  },
  'trace.read': {
    ...raw('cra', 'trace:read'),
    summary: 'Read the trace of a session.',
    description:
      'An array of events; `?envelope=1` for an object around it; one event per line where Accept asks for application/x-ndjson or application/vnd.cra.trace+jsonl.',
    input: {
      path: sessionPath,
      query: traceQuerySchema.extend({ envelope: z.boolean().optional() }),
      headers: acceptHeader,
    },
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/traces/{session_id}' },
  },
  'trace.events': {
    ...read('cra', 'trace:read'),
    summary: 'Read the trace of a session page by page.',
    input: { path: sessionPath, query: traceQuerySchema },
    output: z.object({
      session_id: z.string(),
      events: z.array(traceEventSchema),
      total: z.int(),
      last_sequence: z.int(),
    }),
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/traces/{session_id}/events' },
    mcp: { tool: 'governance', action: 'trace' },
    cli: { command: 'trace list', positionals: ['session_id'] },
  },
  'trace.verify': {
    ...outside('cra', 'trace:read'),
    idempotency: 'repeatable',
    summary: 'Check the hash chain of a session.',
    input: { path: sessionPath },
    output: traceVerificationSchema,
    errors: UNREADABLE,
    http: { method: 'POST', path: '/v1/traces/{session_id}/verify' },
    mcp: { tool: 'governance', action: 'verify_trace', reads: true },
    cli: { command: 'trace check', positionals: ['session_id'] },
  },
  'trace.state': {
    ...outside('cra', 'trace:read'),
    summary: 'Rebuild the state of a session from its events.',
    input: { path: sessionPath },
    output: z.looseObject({}),
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/traces/{session_id}/state' },
    cli: { command: 'trace state', positionals: ['session_id'] },
  },
  'trace.inputs': {
    ...outside('cra', 'trace:read'),
    summary: 'Read what the resolutions and calls of a session were decided from, parameters included.',
    input: { path: sessionPath },
    output: z.object({ items: z.array(recordedInputSchema), calls: z.array(recordedCallSchema) }),
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/traces/{session_id}/inputs' },
    cli: { command: 'trace inputs', positionals: ['session_id'] },
  },
  'trace.replay': {
    ...outside('cra', 'trace:read'),
    idempotency: 'repeatable',
    summary: 'Decide every request of a session again and compare the results.',
    input: { path: sessionPath },
    output: z.looseObject({ deterministic: z.boolean() }),
    errors: UNREADABLE,
    http: { method: 'POST', path: '/v1/traces/{session_id}/replay' },
    cli: { command: 'trace rerun', positionals: ['session_id'] },
  },
});
