import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { factSchema } from '../schema.ts';
import { factAssertionSchema, factListQuery } from './schema.ts';

const projectPath = z.object({ project_id: z.string() });
const ownProject = z.string().optional().describe('The default project of the credential unless given.');
const retraction = z.object({
  subject: z.string().min(1),
  predicate: z.string().min(1),
  object: z.string().optional().describe('Only if this is its value.'),
  value: z.string().optional().describe('The same as `object`.'),
});
const REFUSED = [
  'project_not_found',
  'project_archived',
  'invalid_schema',
  'duplicate_fact_id',
  'temporal_conflict',
  'fact_changed',
  'actor_mismatch',
];

export const factOperations = defineOperations({
  'facts.assert': {
    ...write('agentic', 'facts:write'),
    summary: 'Assert what is true now; it ends the fact it replaces in the same step.',
    input: { path: projectPath, body: factAssertionSchema },
    output: factSchema,
    errors: REFUSED,
    http: { method: 'POST', path: '/v1/projects/{project_id}/facts', status: 201 },
  },
  'facts.state': {
    ...write('agentic', 'facts:write'),
    summary: 'Assert a fact in your project; nothing changes where it is known already.',
    input: { body: factAssertionSchema.extend({ project: ownProject }) },
    output: factSchema,
    errors: REFUSED,
    http: { method: 'POST', path: '/v1/facts', status: 201 },
    mcp: { tool: 'facts', action: 'assert' },
    cli: { command: 'facts assert', positionals: ['subject', 'predicate', 'value'] },
  },
  'facts.invalidate': {
    ...write('agentic', 'facts:write'),
    summary: 'End a fact without a successor; its history stays.',
    input: { path: projectPath, query: retraction },
    output: z.object({ invalidated: z.number().int() }),
    errors: ['project_not_found'],
    http: { method: 'DELETE', path: '/v1/projects/{project_id}/facts' },
  },
  'facts.retract': {
    ...write('agentic', 'facts:write'),
    summary: 'End a fact of your project without a successor.',
    input: { query: retraction.extend({ project: ownProject }) },
    output: z.object({ invalidated: z.number().int() }),
    errors: ['project_not_found'],
    http: { method: 'DELETE', path: '/v1/facts' },
    mcp: { tool: 'facts', action: 'invalidate' },
    cli: { command: 'facts invalidate', positionals: ['subject', 'predicate'] },
  },
  'facts.list': {
    ...read('agentic', 'facts:read'),
    summary: 'Ask what is true, what was true at an instant, or for the whole history.',
    input: { path: projectPath, query: factListQuery },
    output: z.array(factSchema),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/facts' },
  },
  'facts.query': {
    ...read('agentic', 'facts:read'),
    summary: 'Ask what is true in your project, now or as of an instant, or for the history.',
    input: { query: factListQuery.extend({ project: ownProject }) },
    output: z.array(factSchema),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/facts' },
    mcp: { tool: 'facts', action: 'query' },
    cli: { command: 'facts list', positionals: ['subject', 'predicate'] },
  },
});
