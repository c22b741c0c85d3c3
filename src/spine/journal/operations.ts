import { z } from 'zod';
import { defineOperations, outside, stream } from '../operations/define.ts';
import {
  changesQuery,
  changesSchema,
  checkpointSchema,
  consistencyQuery,
  consistencySchema,
  cursorQuery,
  journalEntrySchema,
  verifyQuestion,
  verifyReportSchema,
} from './schema.ts';

export const journalOperations = defineOperations({
  'journal.follow': {
    ...stream('ours', 'journal:read'),
    summary: 'Follow the journal live, starting from any number.',
    description:
      'Events arrive in order, at least once. Resume with `Last-Event-ID`; 410 if the cursor is too old.',
    input: {
      query: cursorQuery,
      headers: z.object({ 'last-event-id': z.number().int().min(-1).optional() }),
    },
    output: journalEntrySchema,
    errors: ['cursor_expired', 'project_not_found'],
    http: { method: 'GET', path: '/v1/events' },
    cli: { command: 'journal follow' },
  },
  'journal.changes': {
    ...outside('ours', 'journal:read'),
    summary: 'Read the journal in pages, or wait for the next change.',
    input: { query: changesQuery },
    output: changesSchema,
    errors: ['cursor_expired', 'cursors_conflict', 'project_not_found'],
    http: { method: 'GET', path: '/v1/changes' },
    mcp: { tool: 'journal', action: 'changes' },
    cli: { command: 'journal list' },
  },
  'journal.verify': {
    ...outside('ours', 'journal:verify'),
    idempotency: 'repeatable',
    summary: 'Check every chain, every number and the tree against the signed checkpoints.',
    input: { body: verifyQuestion.optional() },
    output: verifyReportSchema,
    errors: ['malformed_key'],
    http: { method: 'POST', path: '/v1/journal/verify' },
    mcp: { tool: 'journal', action: 'verify', reads: true },
  },
  'journal.checkpoint': {
    ...outside('ours', 'journal:read'),
    idempotency: 'repeatable',
    summary: 'Sign the tree in its current state and return the signed checkpoint.',
    input: {},
    output: checkpointSchema,
    errors: ['journal_rewritten'],
    http: { method: 'POST', path: '/v1/journal/checkpoint' },
  },
  'journal.consistency': {
    ...outside('ours', 'journal:read'),
    summary: 'Prove that the journal of one size is the beginning of the journal of another.',
    input: { query: consistencyQuery },
    output: consistencySchema,
    errors: ['invalid_range', 'journal_rewritten'],
    http: { method: 'GET', path: '/v1/journal/consistency' },
  },
  'journal.prove': {
    ...outside('ours', 'journal:read'),
    summary: 'Prove one event with a file that anyone can check offline.',
    input: { path: z.object({ event_id: z.string() }) },
    output: z.looseObject({}),
    errors: ['event_not_found'],
    http: { method: 'GET', path: '/v1/journal/events/{event_id}/proof' },
    mcp: { tool: 'journal', action: 'prove' },
    cli: { command: 'journal prove', positionals: ['event_id'] },
  },
});
