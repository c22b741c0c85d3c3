import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import { ownProject } from '../../../spine/operations/own-project.ts';
import { ownSession, projectPath } from '../schema.ts';
import {
  anchorListSchema,
  countsSchema,
  digestQuery,
  digestSchema,
  orientationSchema,
  orientQuery,
  searchHitsSchema,
  searchQuery,
} from './schema.ts';

const formatSchema = z.enum(['json', 'text']).optional().describe('`text` is Markdown for a prompt.');
const errors = ['project_not_found'];

export const orientOperations = defineOperations({
  'context.orient': {
    ...outside('agentic', 'packages:read'),
    summary: 'Orient somebody who continues the work on a project.',
    input: { path: projectPath, query: orientQuery.extend({ format: formatSchema }) },
    output: orientationSchema,
    errors,
    http: { method: 'GET', path: '/v1/projects/{project_id}/orient' },
  },
  'context.brief': {
    ...outside('agentic', 'packages:read'),
    idempotency: 'refused',
    summary: 'Orient yourself: handoffs, open questions, facts and recent work, as text. Do this first.',
    description:
      'Returns Markdown. An agent that names no session gets its latest active one, or a new one with a callsign.',
    input: { body: orientQuery.extend({ project: ownProject, session_id: ownSession }).optional() },
    output: z.string(),
    errors: [...errors, 'session_not_found', 'session_not_owned'],
    http: { method: 'POST', path: '/v1/briefing' },
    mcp: { tool: 'context', action: 'orient', reads: true },
  },
  'context.anchors': {
    ...read('agentic', 'packages:read'),
    summary: 'List the files that the orientation relies on, each with its git blob at the time.',
    description: 'If a file has another blob id now, what is said about it may no longer hold.',
    input: { path: projectPath, query: orientQuery.omit({ max_tokens: true }) },
    output: anchorListSchema,
    errors,
    http: { method: 'GET', path: '/v1/projects/{project_id}/anchors' },
    mcp: { tool: 'context', action: 'anchors' },
    cli: { command: 'anchors list', positionals: ['project_id'] },
  },
  'context.orchestrate': {
    ...outside('agentic', 'packages:read'),
    summary: 'Summarise the activity of one project, or of every project you can see.',
    input: { query: digestQuery },
    output: digestSchema,
    errors,
    http: { method: 'GET', path: '/v1/orchestrate' },
    mcp: { tool: 'context', action: 'orchestrate' },
    cli: { command: 'orchestrate' },
  },
  'context.counts': {
    ...read('ours', 'packages:read'),
    summary: 'Count what a project holds.',
    input: { path: projectPath },
    output: countsSchema,
    errors,
    http: { method: 'GET', path: '/v1/projects/{project_id}/counts' },
  },
  'context.search': {
    ...outside('ours', 'search:read'),
    summary: 'Search packages, facts and what agents said by words and meaning, best first.',
    input: { query: searchQuery },
    output: searchHitsSchema,
    errors,
    http: { method: 'GET', path: '/v1/search' },
    mcp: { tool: 'search', action: 'search' },
    cli: { command: 'search', positionals: ['query'] },
  },
});
