import { z } from 'zod';
import { defineOperations, outside, read, write } from '../../../spine/operations/define.ts';
import { ownProject } from '../../../spine/operations/own-project.ts';
import { factSchema, projectPath } from '../schema.ts';
import {
  factAssertionSchema,
  factLatestQuery,
  factLatestSchema,
  factListQuery,
  retraction,
} from './schema.ts';

const invalidatedSchema = z.object({ invalidated: z.number().int() });
const REFUSED = [
  'project_not_found',
  'project_archived',
  'invalid_schema',
  'duplicate_fact_id',
  'temporal_conflict',
  'fact_changed',
  'actor_mismatch',
  'invalid_actor_id',
];

export const factOperations = defineOperations({
  'facts.assert': {
    ...write('agentic', 'facts:write'),
    summary: 'Assert what is true now, ending the fact it replaces in the same step.',
    input: { path: projectPath, body: factAssertionSchema },
    output: factSchema,
    errors: REFUSED,
    http: { method: 'POST', path: '/v1/projects/{project_id}/facts', status: 201 },
  },
  'facts.state': {
    ...write('agentic', 'facts:write'),
    summary: 'Assert a fact in your project; nothing changes if it is already known.',
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
    output: invalidatedSchema,
    errors: ['project_not_found'],
    http: { method: 'DELETE', path: '/v1/projects/{project_id}/facts' },
  },
  'facts.retract': {
    ...write('agentic', 'facts:write'),
    summary: 'End a fact of your project without a successor.',
    input: { query: retraction.extend({ project: ownProject }) },
    output: invalidatedSchema,
    errors: ['project_not_found'],
    http: { method: 'DELETE', path: '/v1/facts' },
    mcp: { tool: 'facts', action: 'invalidate' },
    cli: { command: 'facts invalidate', positionals: ['subject', 'predicate'] },
  },
  'facts.list': {
    ...read('agentic', 'facts:read'),
    summary: 'Query what is true now, what was true at an instant, or the whole history.',
    input: { path: projectPath, query: factListQuery },
    output: z.array(factSchema),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/facts' },
  },
  'facts.latest': {
    ...outside('ours', 'facts:read'),
    summary: 'List each subject and predicate once, with its latest value, and how many there are.',
    input: { path: projectPath, query: factLatestQuery },
    output: factLatestSchema,
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/facts/latest' },
  },
  'facts.query': {
    ...read('agentic', 'facts:read'),
    summary: 'Query what is true in your project, now or at an instant, or its history.',
    input: { query: factListQuery.extend({ project: ownProject }) },
    output: z.array(factSchema),
    errors: ['project_not_found', 'invalid_cursor'],
    http: { method: 'GET', path: '/v1/facts' },
    mcp: { tool: 'facts', action: 'query' },
    cli: { command: 'facts list', positionals: ['subject', 'predicate'] },
  },
});
