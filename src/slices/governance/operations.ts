import { z } from 'zod';
import { defineOperations, outside, raw, read, stream, write } from '../../spine/operations/define.ts';
import { approvalSchema } from './approvals/schema.ts';
import { type AtlasManifest, atlasManifestSchema, atlasSummarySchema } from './atlases/schema.ts';
import { executeResponseSchema } from './execution/schema.ts';
import { type CarpRequest, carpResolutionSchema } from './resolution/schema.ts';
import { actionIdSchema } from './schema.ts';
import { sessionSchema, sessionStartSchema } from './sessions/schema.ts';
import { recordedInputSchema, traceEventSchema, traceVerificationSchema } from './traces/schema.ts';

/** The handler reads these bodies itself, so that a fault gets CRA's own code and the pointer of the member. */
const carpRequestBody = z
  .looseObject({})
  .meta({ title: 'CARP request', description: 'See /v1/schemas/carp-request.' });
const carpRequest = carpRequestBody as unknown as z.ZodType<CarpRequest>;
const manifestBody = z
  .looseObject({})
  .meta({ title: 'Atlas manifest', description: 'See /v1/schemas/atlas-manifest.' });
const manifest = manifestBody as unknown as z.ZodType<AtlasManifest>;

const accept = z.object({ accept: z.string().optional() });
const envelope = z.boolean().optional();
const sessionPath = z.object({ session_id: z.string() });
const atlasPath = z.object({ atlas_id: z.string() });
const REFUSALS = [
  'invalid_carp_request',
  'session_not_found',
  'session_not_owned',
  'session_already_ended',
  'clock_skew',
  'duplicate_request',
  'atlas_not_found',
];

const project = z.string().optional().describe('The default project of the credential unless given.');

export const governanceOperations = defineOperations({
  'carp.session.start': {
    ...write('cra', 'sessions:write'),
    summary: 'Start a session for an agent and its goal.',
    input: { body: sessionStartSchema },
    output: sessionSchema,
    errors: ['atlas_not_found', 'session_already_exists', 'session_not_found', 'project_archived'],
    http: { method: 'POST', path: '/v1/sessions', status: 201 },
    mcp: { tool: 'governance', action: 'start_session' },
    cli: { command: 'carp start' },
  },
  'carp.session.list': {
    ...read('cra', 'sessions:read'),
    summary: 'List the sessions of the project, the newest first.',
    input: {
      query: z.object({
        status: z.enum(['active', 'ended', 'all']).optional(),
        limit: z.int().min(1).max(100).optional(),
        offset: z.int().min(0).optional(),
      }),
    },
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
  'carp.resolve': {
    ...outside('cra', 'carp:resolve'),
    summary: 'Ask which actions and context an agent gets for a goal.',
    description: 'Takes the operation `resolve`, or `validate` for the same answer without keeping anything.',
    input: { headers: accept, body: carpRequest },
    bodyName: 'request',
    output: carpResolutionSchema,
    errors: REFUSALS,
    http: { method: 'POST', path: '/v1/resolve' },
    mcp: { tool: 'governance', action: 'resolve' },
    cli: { command: 'carp resolve' },
  },
  'carp.execute': {
    ...outside('cra', 'carp:execute'),
    summary: 'Run an action that a resolution allows.',
    input: { headers: accept, body: carpRequest },
    bodyName: 'request',
    output: executeResponseSchema,
    errors: [
      ...REFUSALS,
      'resolution_not_found',
      'resolution_expired',
      'action_denied',
      'action_not_found',
      'invalid_parameters',
      'rate_limit_exceeded',
      'budget_exceeded',
      'idempotency_conflict',
      'execution_in_progress',
    ],
    http: { method: 'POST', path: '/v1/execute' },
    mcp: { tool: 'governance', action: 'execute' },
    cli: { command: 'carp execute' },
  },
  'carp.explain': {
    ...read('cra', 'carp:resolve'),
    summary: 'Tell for each action which rule decides, which match, and what fails in the rest.',
    input: {
      query: z.object({ project }),
      body: z.strictObject({
        agent_id: z.string().min(1),
        action_id: z.string().optional(),
        risk_tier: z.enum(['low', 'medium', 'high', 'critical']).optional(),
        context: z.record(z.string(), z.unknown()).optional(),
        parameters: z.record(z.string(), z.unknown()).optional(),
        atlas_ids: z.array(z.string()).optional(),
        now: z.string().optional(),
      }),
    },
    output: z.object({ explanations: z.array(z.looseObject({})) }),
    errors: ['project_not_found', 'atlas_not_found', 'action_not_found'],
    http: { method: 'POST', path: '/v1/explain' },
    mcp: { tool: 'governance', action: 'explain' },
    cli: { command: 'carp explain', positionals: ['action_id'] },
  },
  'approvals.list': {
    ...read('cra', 'inbox:read'),
    summary: 'List the approvals that agents wait for.',
    description: 'What a resolution names and nobody was asked for yet is listed with `status=offered`.',
    input: {
      query: z.object({
        project,
        status: z.enum(['offered', 'pending', 'approved', 'rejected', 'expired', 'all']).optional(),
        limit: z.int().min(1).max(100).optional(),
      }),
    },
    output: z.object({ items: z.array(approvalSchema), total: z.int() }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/approvals' },
    cli: { command: 'approvals list' },
  },
  'approvals.get': {
    ...read('cra', 'inbox:read'),
    summary: 'Show one approval.',
    input: { path: z.object({ approval_id: z.string() }) },
    output: approvalSchema,
    errors: ['approval_not_found'],
    http: { method: 'GET', path: '/v1/approvals/{approval_id}' },
    cli: { command: 'approvals show', positionals: ['approval_id'] },
  },
  'approvals.ask': {
    ...write('cra', 'carp:execute'),
    summary: 'Ask a person for an approval that a resolution names.',
    description:
      'An action that is executed without its approval asks for it by itself, with its parameters; this asks before. Asking again changes nothing.',
    input: {
      path: z.object({ approval_id: z.string() }),
      body: z.strictObject({
        action_id: actionIdSchema.optional().describe('Only for this one of its actions.'),
      }),
    },
    output: approvalSchema,
    errors: ['approval_not_found', 'action_not_found', 'item_expired', 'session_not_owned'],
    http: { method: 'POST', path: '/v1/approvals/{approval_id}/ask' },
    mcp: { tool: 'governance', action: 'ask_approval' },
    cli: { command: 'approvals ask', positionals: ['approval_id'] },
  },
  'approvals.decide': {
    ...write('cra', 'approvals:decide'),
    summary: 'Approve or reject what an agent asks to do.',
    input: {
      path: z.object({ approval_id: z.string() }),
      body: z.strictObject({
        decision: z.enum(['approve', 'reject']),
        approver: z.string().optional(),
        reason: z.string().max(1000).optional(),
      }),
    },
    output: approvalSchema,
    errors: [
      'approval_not_found',
      'approver_mismatch',
      'self_approval',
      'already_decided',
      'presence_required',
    ],
    http: { method: 'POST', path: '/v1/approvals/{approval_id}' },
    cli: [
      { command: 'approvals approve', positionals: ['approval_id'], fixed: { decision: 'approve' } },
      { command: 'approvals reject', positionals: ['approval_id'], fixed: { decision: 'reject' } },
    ],
  },
  'trace.stream': {
    ...stream('cra', 'trace:read'),
    summary: 'Follow the trace of a session, event by event.',
    input: {
      query: z.object({ session_id: z.string(), since_sequence: z.int().min(-1).optional() }),
      headers: z.object({ 'last-event-id': z.int().min(-1).optional() }),
    },
    output: traceEventSchema,
    errors: ['session_not_found', 'session_not_owned'],
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
      query: z.object({
        event_type: z.string().optional(),
        since_sequence: z.int().min(-1).optional(),
        limit: z.int().min(1).max(1000).optional(),
        envelope,
      }),
      headers: accept,
    },
    errors: ['session_not_found', 'session_not_owned'],
    http: { method: 'GET', path: '/v1/traces/{session_id}' },
  },
  'trace.events': {
    ...read('cra', 'trace:read'),
    summary: 'Read the trace of a session page by page.',
    input: {
      path: sessionPath,
      query: z.object({
        event_type: z.string().optional(),
        since_sequence: z.int().min(-1).optional(),
        limit: z.int().min(1).max(1000).optional(),
      }),
    },
    output: z.object({
      session_id: z.string(),
      events: z.array(traceEventSchema),
      total: z.int(),
      last_sequence: z.int(),
    }),
    errors: ['session_not_found', 'session_not_owned'],
    http: { method: 'GET', path: '/v1/traces/{session_id}/events' },
    mcp: { tool: 'governance', action: 'trace' },
    cli: { command: 'trace list', positionals: ['session_id'] },
  },
  'trace.verify': {
    ...outside('cra', 'trace:read'),
    summary: 'Check the hash chain of a session.',
    input: { path: sessionPath },
    output: traceVerificationSchema,
    errors: ['session_not_found', 'session_not_owned'],
    http: { method: 'POST', path: '/v1/traces/{session_id}/verify' },
    mcp: { tool: 'governance', action: 'verify_trace' },
    cli: { command: 'trace check', positionals: ['session_id'] },
  },
  'trace.state': {
    ...outside('cra', 'trace:read'),
    summary: 'Rebuild what a session has been through from its events.',
    input: { path: sessionPath },
    output: z.looseObject({}),
    errors: ['session_not_found', 'session_not_owned'],
    http: { method: 'GET', path: '/v1/traces/{session_id}/state' },
    cli: { command: 'trace state', positionals: ['session_id'] },
  },
  'trace.inputs': {
    ...outside('cra', 'trace:read'),
    summary: 'Read what the resolutions of a session were made from.',
    input: { path: sessionPath },
    output: z.object({ items: z.array(recordedInputSchema) }),
    errors: ['session_not_found', 'session_not_owned'],
    http: { method: 'GET', path: '/v1/traces/{session_id}/inputs' },
    cli: { command: 'trace inputs', positionals: ['session_id'] },
  },
  'trace.replay': {
    ...outside('cra', 'trace:read'),
    summary: 'Decide every request of a session again and compare.',
    input: { path: sessionPath },
    output: z.looseObject({ deterministic: z.boolean() }),
    errors: ['session_not_found', 'session_not_owned'],
    http: { method: 'POST', path: '/v1/traces/{session_id}/replay' },
    cli: { command: 'trace rerun', positionals: ['session_id'] },
  },
  'atlas.list': {
    ...read('cra', 'atlas:read'),
    summary: 'List the loaded Atlases.',
    input: { query: z.object({ project, envelope }) },
    output: z.union([
      z.array(atlasSummarySchema),
      z.object({ items: z.array(atlasSummarySchema), total: z.int() }),
    ]),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/atlases' },
    mcp: { tool: 'governance', action: 'atlases' },
    cli: { command: 'atlas list' },
  },
  'atlas.load': {
    ...write('cra', 'atlas:write'),
    summary: 'Load an Atlas; another version of the same id is replaced.',
    description: 'Context files travel in `metadata.context_files`, an object of path → text.',
    input: {
      query: z.object({ project, mode: z.enum(['enforce', 'log_only']).optional() }),
      body: manifest,
    },
    bodyName: 'manifest',
    output: atlasSummarySchema,
    errors: [
      'project_not_found',
      'invalid_atlas_manifest',
      'atlas_already_loaded',
      'action_conflict',
      'atlas_dependency_missing',
    ],
    http: { method: 'POST', path: '/v1/atlases', status: 201, maxBytes: 8_388_608 },
  },
  'atlas.get': {
    ...read('cra', 'atlas:read'),
    summary: 'Read the manifest of a loaded Atlas.',
    input: { path: atlasPath, query: z.object({ project }), headers: accept },
    output: atlasManifestSchema,
    errors: ['project_not_found', 'atlas_not_found'],
    http: { method: 'GET', path: '/v1/atlases/{atlas_id}' },
    mcp: { tool: 'governance', action: 'atlas' },
    cli: { command: 'atlas show', positionals: ['atlas_id'] },
  },
  'atlas.unload': {
    ...write('cra', 'atlas:write'),
    summary: 'Unload an Atlas; its rules stop at once.',
    input: { path: atlasPath, query: z.object({ project }) },
    output: z.null(),
    errors: ['project_not_found', 'atlas_not_found'],
    http: { method: 'DELETE', path: '/v1/atlases/{atlas_id}', status: 204 },
    cli: { command: 'atlas unload', positionals: ['atlas_id'] },
  },
  'atlas.check': {
    ...outside('cra', 'atlas:read'),
    summary: 'Say what is wrong or doubtful in a manifest, without loading it.',
    input: { body: manifest },
    bodyName: 'manifest',
    output: z.object({ loadable: z.boolean(), findings: z.array(z.looseObject({})) }),
    errors: [],
    http: { method: 'POST', path: '/v1/atlases/check', maxBytes: 8_388_608 },
  },
  'atlas.analysis': {
    ...read('cra', 'atlas:read'),
    summary: 'Find rules that never matter, rules that allow too much, and actions nobody can run.',
    input: { path: atlasPath, query: z.object({ project }) },
    output: z.object({ findings: z.array(z.looseObject({})), complete: z.boolean() }),
    errors: ['project_not_found', 'atlas_not_found'],
    http: { method: 'GET', path: '/v1/atlases/{atlas_id}/analysis' },
  },
  'schema.get': {
    ...outside('cra', 'open'),
    summary: 'Read one of the JSON Schemas.',
    input: { path: z.object({ name: z.string() }) },
    output: z.looseObject({}),
    errors: ['schema_not_found'],
    http: { method: 'GET', path: '/v1/schemas/{name}' },
  },
});
