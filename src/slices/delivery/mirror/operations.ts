import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import {
  attachSchema,
  gateAnswerSchema,
  gateQuestionSchema,
  peerAnswerSchema,
  peerQuestionSchema,
  recordListSchema,
  recordQuery,
  repositoryListSchema,
  repositoryQuery,
  repositorySchema,
  runStatusSchema,
  syncSchema,
} from '../schema.ts';

const projectPath = z.object({ project_id: z.string() });
/** What reading a repository's files may fail with. */
const UNREADABLE = ['repository_not_found', 'state_corrupt'];
const repositoryPath = z.object({ id: z.string() });

export const mirrorOperations = defineOperations({
  'delivery.attach': {
    // Commands in a repository's config run as the server's user, so only an operator may attach one.
    ...outside('ours', 'admin'),
    decides: true,
    summary: 'Attach a governed repository to a project.',
    input: { path: projectPath, body: attachSchema },
    output: repositorySchema,
    errors: ['project_not_found', 'run_not_initialized', 'repository_taken'],
    http: { method: 'POST', path: '/v1/projects/{project_id}/repositories', status: 201 },
  },
  'delivery.repositories': {
    ...read('ours', 'delivery:read'),
    summary: 'List the governed repositories of a project.',
    input: { path: projectPath },
    output: repositoryListSchema,
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/repositories' },
    mcp: { tool: 'runs', action: 'repositories' },
    cli: { command: 'runs list', positionals: ['project_id'] },
  },
  'delivery.locate': {
    ...read('ours', 'delivery:read'),
    summary: 'List the governed repositories of all projects you can see, or find the one at a directory.',
    input: { query: repositoryQuery },
    output: repositoryListSchema,
    errors: [],
    http: { method: 'GET', path: '/v1/repositories' },
  },
  'delivery.status': {
    ...outside('ours', 'delivery:read'),
    summary: 'Show the state of a run and what comes next.',
    input: { path: repositoryPath },
    output: runStatusSchema,
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/repositories/{id}/run' },
    mcp: { tool: 'runs', action: 'status' },
    cli: { command: 'runs show', positionals: ['id'] },
  },
  'delivery.history': {
    ...outside('ours', 'delivery:read'),
    summary: 'List the accepted turns of a repository.',
    input: { path: repositoryPath, query: recordQuery },
    output: recordListSchema,
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/repositories/{id}/history' },
    mcp: { tool: 'runs', action: 'history' },
    cli: { command: 'runs history', positionals: ['id'] },
  },
  'delivery.decisions': {
    ...outside('ours', 'delivery:read'),
    summary: 'List the decisions of a repository’s runs.',
    input: { path: repositoryPath, query: recordQuery },
    output: recordListSchema,
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/repositories/{id}/decisions' },
    mcp: { tool: 'runs', action: 'decisions' },
    cli: { command: 'runs decisions', positionals: ['id'] },
  },
  'delivery.events': {
    ...outside('ours', 'delivery:read'),
    summary: 'List the lifecycle events of a repository’s runs.',
    input: { path: repositoryPath, query: recordQuery },
    output: recordListSchema,
    errors: UNREADABLE,
    http: { method: 'GET', path: '/v1/repositories/{id}/events' },
    mcp: { tool: 'runs', action: 'events' },
    cli: { command: 'runs events', positionals: ['id'] },
  },
  'delivery.sync': {
    ...outside('ours', 'delivery:run'),
    idempotency: 'repeatable',
    summary: 'Record now what a repository’s runs have done since the last sync.',
    input: { path: repositoryPath },
    output: syncSchema,
    errors: UNREADABLE,
    http: { method: 'POST', path: '/v1/repositories/{id}/sync' },
    cli: { command: 'runs sync', positionals: ['id'] },
  },
  'delivery.resolve': {
    ...outside('ours', 'carp:resolve'),
    summary: 'Ask the policy of the repository’s project whether a gate may act.',
    input: { path: repositoryPath, body: gateQuestionSchema },
    output: gateAnswerSchema,
    errors: ['repository_not_found'],
    http: { method: 'POST', path: '/v1/repositories/{id}/resolve' },
  },
  'delivery.ask': {
    ...outside('ours', 'relay:send'),
    summary: 'Send a turn to a relay peer of the repository’s project and wait for the answer.',
    input: { path: repositoryPath, body: peerQuestionSchema },
    output: peerAnswerSchema,
    errors: ['repository_not_found', 'exchange_failed', 'exchange_refused', 'verb_denied'],
    http: { method: 'POST', path: '/v1/repositories/{id}/ask' },
  },
});
