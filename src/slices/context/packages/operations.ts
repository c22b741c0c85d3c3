import { z } from 'zod';
import { defineOperations, outside, read, write } from '../../../spine/operations/define.ts';
import { ownProject } from '../../../spine/operations/own-project.ts';
import { envelopeSchema, inProject, packagePath, packageSchema, projectPath } from '../schema.ts';
import { depositHeaders, headsQuery, packageDraftSchema, packageListQuery, packageQuery } from './schema.ts';

const inProjectPath = z.object({ project_id: z.string(), package_id: z.string() });
const conditional = z.object({ 'if-none-match': z.string().optional() });
const wanting = z.object({ 'relay-want': z.string().optional() });
const redaction = z.strictObject({ reason: z.string().min(1).max(500) });
const mismatch = z.object({ package_id: z.string(), reason: z.string() });
const packageList = z.array(packageSchema);
const packageOrEnvelope = z.union([packageSchema, envelopeSchema]);
const MISSING = ['project_not_found', 'package_not_found'];
const REFUSED_DEPOSIT = [
  'invalid_schema',
  'hash_mismatch',
  'duplicate_package_id',
  'head_moved',
  'actor_mismatch',
  'invalid_actor_id',
  'project_not_found',
  'project_archived',
  'package_redacted',
  'secret_found',
  'signature_required',
];

export const packageOperations = defineOperations({
  'packages.deposit': {
    ...write('agentic', 'packages:write'),
    summary: 'Deposit a complete context package, stored exactly as written.',
    description:
      'Idempotent: the same package again returns 200 with the stored one, a different one 409. The content hash is in `ETag` and `Relay-Content-Hash`.',
    input: { path: projectPath, headers: depositHeaders, body: packageSchema },
    bodyName: 'package',
    output: packageSchema,
    errors: [...REFUSED_DEPOSIT, 'attestation_invalid', 'not_implemented'],
    http: { method: 'POST', path: '/v1/projects/{project_id}/packages', status: 201 },
  },
  'packages.write': {
    ...write('agentic', 'packages:write'),
    summary: 'Deposit what you did, decided and left open; only a title is needed.',
    description:
      'Id, time, author and project default to values from the clock and the credential; give them to choose your own.',
    input: { body: packageDraftSchema },
    output: packageSchema,
    errors: REFUSED_DEPOSIT,
    http: { method: 'POST', path: '/v1/packages', status: 201 },
    mcp: { tool: 'context', action: 'deposit' },
  },
  'packages.list': {
    ...outside('agentic', 'packages:read'),
    summary: 'Pull packages of a project: the latest, or those relevant to a query.',
    input: { path: projectPath, query: packageListQuery, headers: wanting },
    output: packageList,
    errors: [...MISSING, 'invalid_cursor', 'ambiguous_package_id', 'package_redacted', 'not_implemented'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/packages' },
  },
  'packages.pull': {
    ...outside('agentic', 'packages:read'),
    summary: 'Pull packages: the latest, those relevant to a query, one by id, or those of a callsign.',
    input: { query: packageListQuery.extend({ project: ownProject }) },
    output: packageList,
    errors: [...MISSING, 'invalid_cursor', 'package_redacted'],
    http: { method: 'GET', path: '/v1/pull' },
    mcp: { tool: 'context', action: 'pull' },
    cli: [{ command: 'pull', positionals: ['package_id'] }, { command: 'packages list' }],
  },
  'packages.get': {
    ...outside('agentic', 'packages:read'),
    summary: 'Read one package by its id.',
    input: { path: packagePath, query: packageQuery, headers: conditional },
    output: packageOrEnvelope,
    errors: [...MISSING, 'ambiguous_package_id', 'package_redacted'],
    http: { method: 'GET', path: '/v1/packages/{package_id}' },
    cli: { command: 'packages show', positionals: ['package_id'] },
  },
  'packages.find': {
    ...outside('agentic', 'packages:read'),
    summary: 'Read one package whose id cannot be part of a path.',
    input: { query: packageQuery.extend({ id: z.string() }), headers: conditional },
    output: packageOrEnvelope,
    errors: [...MISSING, 'ambiguous_package_id', 'package_redacted'],
    http: { method: 'GET', path: '/v1/packages' },
  },
  'packages.get_in': {
    ...outside('agentic', 'packages:read'),
    summary: 'Read one package of a project.',
    input: { path: inProjectPath, query: packageQuery.omit({ project: true }), headers: conditional },
    output: packageOrEnvelope,
    errors: [...MISSING, 'package_redacted'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/packages/{package_id}' },
  },
  'packages.lineage': {
    ...read('agentic', 'packages:read'),
    summary: 'Show what a package was built on, and what was built on it.',
    input: { path: packagePath, query: inProject },
    output: z.looseObject({}),
    errors: [...MISSING, 'ambiguous_package_id'],
    http: { method: 'GET', path: '/v1/packages/{package_id}/lineage' },
    mcp: { tool: 'context', action: 'lineage' },
    cli: { command: 'packages lineage', positionals: ['package_id'] },
  },
  'packages.heads': {
    ...read('agentic', 'packages:read'),
    summary: 'List the packages on which nothing was built yet.',
    input: { path: projectPath, query: headsQuery },
    output: packageList,
    errors: MISSING,
    http: { method: 'GET', path: '/v1/projects/{project_id}/heads' },
    cli: { command: 'packages heads', positionals: ['project_id'] },
  },
  'packages.refs': {
    ...read('agentic', 'packages:read'),
    summary: 'Follow the references of a package to other projects, as far as you may read there.',
    input: { path: packagePath, query: inProject },
    output: z.looseObject({}),
    errors: [...MISSING, 'ambiguous_package_id'],
    http: { method: 'GET', path: '/v1/packages/{package_id}/refs' },
  },
  'packages.redact': {
    ...outside('agentic', 'admin'),
    idempotency: 'erases',
    decides: true,
    summary: 'Destroy the content of a package; its hashes and its place in the lineage remain.',
    input: { path: packagePath, query: inProject, body: redaction },
    output: z.looseObject({ package_id: z.string() }),
    errors: [...MISSING, 'ambiguous_package_id'],
    http: { method: 'POST', path: '/v1/packages/{package_id}/redact' },
    cli: { command: 'packages redact', positionals: ['package_id'] },
  },
  'packages.quarantine': {
    ...write('agentic', 'packages:write'),
    decides: true,
    summary: 'Keep packages from what agents are handed and find, or with release put them back.',
    description:
      'They stay where they are and can be read by their id. Answers which have changed, and why others have not. Only for people.',
    input: {
      path: projectPath,
      body: z.strictObject({
        package_ids: z.array(z.string().min(1).max(200)).min(1).max(200),
        release: z.boolean().optional().describe('Take them out of quarantine instead.'),
      }),
    },
    output: z.object({
      changed: z.array(z.string()),
      left: z.array(z.object({ package_id: z.string(), reason: z.string() })),
    }),
    errors: ['project_not_found', 'quarantine_needs_person'],
    http: { method: 'POST', path: '/v1/projects/{project_id}/quarantine' },
    cli: { command: 'packages quarantine', positionals: ['project_id'] },
  },
  'packages.quarantined': {
    ...read('agentic', 'packages:read'),
    summary: 'List the packages of a project that are in quarantine.',
    input: { path: projectPath },
    output: z.object({ packages: z.array(z.object({ package_id: z.string(), title: z.string() })) }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/quarantine' },
    cli: { command: 'packages quarantined', positionals: ['project_id'] },
  },
  'packages.integrity': {
    ...outside('agentic', 'packages:read'),
    summary: 'Recompute the hash of every package of a project and quarantine what does not match.',
    input: { path: projectPath },
    output: z.object({ checked: z.number().int(), mismatches: z.array(mismatch) }),
    errors: ['project_not_found'],
    http: { method: 'GET', path: '/v1/projects/{project_id}/integrity' },
    cli: { command: 'packages verify', positionals: ['project_id'] },
  },
});
