import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import {
  newProjectSchema,
  newSessionSchema,
  projectChangesSchema,
  projectSchema,
  sessionSchema,
} from './schema.ts';

const projectPath = z.object({ project_id: z.string() });
const sessionPath = z.object({ session_id: z.string() });
const announced = sessionSchema.extend({
  announce: z.string().describe('What to tell the person you work for.'),
});

export const projectOperations = defineOperations({
  'projects.create': {
    ...write('agentic', 'projects:write'),
    summary: 'Create a project; one that exists is answered as it is.',
    input: { body: newProjectSchema },
    output: projectSchema,
    errors: ['invalid_project_id', 'project_not_found'],
    http: { method: 'POST', path: '/v1/projects', status: 201 },
    cli: { command: 'projects create', positionals: ['project_id'] },
  },
  'projects.list': {
    ...read('agentic', 'projects:read'),
    summary: 'List the projects that you can see, oldest first.',
    input: {
      query: z.object({
        archived: z.boolean().optional().describe('Archived ones too.'),
        limit: z.number().int().min(1).max(200).optional(),
        after: z.string().optional().describe('The id of the last project of the page before.'),
      }),
    },
    output: z.array(projectSchema),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects' },
    mcp: { tool: 'context', action: 'projects' },
    cli: { command: 'projects list' },
  },
  'projects.get': {
    ...read('agentic', 'projects:read'),
    summary: 'Show a project.',
    input: { path: projectPath },
    output: projectSchema,
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}' },
    cli: { command: 'projects show', positionals: ['project_id'] },
  },
  'projects.change': {
    ...write('agentic', 'projects:write'),
    summary: 'Change the name, description or settings of a project.',
    input: { path: projectPath, body: projectChangesSchema },
    output: projectSchema,
    errors: ['project_not_found'],
    http: { method: 'PATCH', path: '/v1/projects/{project_id}' },
    cli: { command: 'projects change', positionals: ['project_id'] },
  },
  'projects.archive': {
    ...write('agentic', 'projects:write'),
    summary: 'Archive a project: it can be read and restored, and takes no new work.',
    input: { path: projectPath },
    output: projectSchema,
    errors: ['project_not_found'],
    http: { method: 'POST', path: '/v1/projects/{project_id}/archive' },
    cli: { command: 'projects archive', positionals: ['project_id'] },
  },
  'projects.restore': {
    ...write('agentic', 'projects:write'),
    summary: 'Restore an archived project.',
    input: { path: projectPath },
    output: projectSchema,
    errors: ['project_not_found'],
    http: { method: 'POST', path: '/v1/projects/{project_id}/restore' },
    cli: { command: 'projects restore', positionals: ['project_id'] },
  },
  'sessions.start': {
    ...write('agentic', 'sessions:write'),
    summary: 'Start a session in a project and get a callsign.',
    input: { path: projectPath, body: newSessionSchema.optional() },
    output: announced,
    errors: ['project_not_found', 'project_archived', 'session_already_exists', 'invalid_session_id'],
    http: { method: 'POST', path: '/v1/projects/{project_id}/sessions', status: 201 },
    cli: { command: 'session start', positionals: ['project_id'] },
  },
  'sessions.begin': {
    ...write('agentic', 'sessions:write'),
    summary: 'Start a session in your project and get a callsign to announce.',
    input: { query: z.object({ project: z.string().optional() }) },
    output: announced,
    errors: ['project_not_found', 'project_archived'],
    http: { method: 'POST', path: '/v1/session', status: 201 },
    mcp: { tool: 'context', action: 'start_session' },
  },
  'sessions.list': {
    ...read('agentic', 'sessions:read'),
    summary: 'List the sessions of a project, newest first, or find one by callsign.',
    input: {
      path: projectPath,
      query: z.object({
        callsign: z.string().optional(),
        status: z.enum(['active', 'ended']).optional(),
        limit: z.number().int().min(1).max(200).optional(),
        offset: z.number().int().min(0).optional(),
      }),
    },
    output: z.array(sessionSchema),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/sessions' },
    cli: { command: 'session list', positionals: ['project_id'] },
  },
  'sessions.end': {
    ...write('agentic', 'sessions:write'),
    summary: 'End a session.',
    input: {
      path: sessionPath,
      body: z
        .looseObject({ reason: z.enum(['completed', 'timeout', 'error', 'cancelled']).optional() })
        .optional(),
    },
    output: sessionSchema,
    errors: ['session_not_found', 'session_not_owned', 'session_already_ended', 'session_stands'],
    http: { method: 'PATCH', path: '/v1/sessions/{session_id}' },
    mcp: { tool: 'context', action: 'end_session' },
    cli: { command: 'session end', positionals: ['session_id'] },
  },
});
