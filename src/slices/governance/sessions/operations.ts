import { z } from 'zod';
import { defineOperations, read, write } from '../../../spine/operations/define.ts';
import { sessionFilterSchema, sessionPath, sessionSchema, sessionStartSchema } from './schema.ts';

export const sessionOperations = defineOperations({
  'carp.session.start': {
    ...write('cra', 'sessions:write'),
    summary: 'Start a session for an agent and its goal.',
    input: { body: sessionStartSchema },
    output: sessionSchema,
    description:
      '`agent_id` is the credential’s own actor, or one that it speaks for. A subagent is a child session: with `parent_session_id` of a session of yours, `agent_id` may be that session’s agent, a slash and a name, such as `claude-7/reviewer`.',
    errors: [
      'atlas_not_found',
      'session_already_exists',
      'session_not_found',
      'session_not_owned',
      'project_archived',
    ],
    http: { method: 'POST', path: '/v1/sessions', status: 201 },
    mcp: { tool: 'governance', action: 'start_session' },
    cli: { command: 'carp start' },
  },
  'carp.session.list': {
    ...read('cra', 'sessions:read'),
    summary: 'List the sessions of the project, newest first.',
    input: { query: sessionFilterSchema },
    output: z.object({ items: z.array(sessionSchema), total: z.int(), limit: z.int(), offset: z.int() }),
    errors: [],
    http: { method: 'GET', path: '/v1/sessions' },
    cli: { command: 'carp sessions' },
  },
  'carp.session.get': {
    ...read('cra', 'sessions:read'),
    summary: 'Show a session.',
    input: { path: sessionPath },
    output: sessionSchema,
    errors: ['session_not_found'],
    http: { method: 'GET', path: '/v1/sessions/{session_id}' },
    mcp: { tool: 'governance', action: 'session' },
    cli: { command: 'carp session', positionals: ['session_id'] },
  },
  'carp.session.end': {
    ...write('cra', 'sessions:write'),
    summary: 'End a session and close its trace.',
    input: {
      path: sessionPath,
      query: z.object({ reason: z.enum(['completed', 'timeout', 'error', 'cancelled']).optional() }),
    },
    output: z.null(),
    errors: ['session_not_found', 'session_not_owned', 'session_already_ended'],
    http: { method: 'DELETE', path: '/v1/sessions/{session_id}', status: 204 },
    mcp: { tool: 'governance', action: 'end_session' },
    cli: { command: 'carp end', positionals: ['session_id'] },
  },
});
