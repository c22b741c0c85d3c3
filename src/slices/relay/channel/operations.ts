import { z } from 'zod';
import { defineOperations, outside, raw, read, stream, write } from '../../../spine/operations/define.ts';
import {
  channelEventSchema,
  channelSchema,
  channelViewSchema,
  leaseSchema,
  receiptSchema,
} from '../schema.ts';

const channelPath = z.object({ id: z.string() });
const agent = z.string().min(1).max(128);
const NOT_FOUND = ['channel_not_found'];
const leaseName = z.string().min(1).max(64).optional().describe('`handoff` unless said otherwise.');

export const channelOperations = defineOperations({
  'channel.create': {
    ...write('ours', 'channel:write'),
    summary: 'Open a channel; its id of four signs is all that others need.',
    input: { body: z.object({ title: z.string().max(200), created_by: z.string().max(128).optional() }) },
    output: channelSchema,
    errors: ['channel_ids_exhausted'],
    http: { method: 'POST', path: '/agent-channel', status: 201 },
    mcp: { tool: 'channel', action: 'create' },
    cli: { command: 'channel create' },
  },
  'channel.list': {
    ...read('ours', 'channel:read'),
    summary: 'List the channels, the newest first.',
    input: {
      query: z.object({ limit: z.int().min(1).max(500).optional(), include_closed: z.boolean().optional() }),
    },
    output: z.object({ channels: z.array(channelSchema) }),
    errors: [],
    http: { method: 'GET', path: '/agent-channel' },
    mcp: { tool: 'channel', action: 'list' },
    cli: { command: 'channel list' },
  },
  'channel.page': {
    ...raw('ours', 'channel:read'),
    summary: 'Read a channel as it introduces itself, in JSON, YAML or Markdown.',
    input: { path: channelPath },
    errors: NOT_FOUND,
    http: { method: 'GET', path: '/agent-channel/{id}' },
  },
  'channel.read': {
    ...read('ours', 'channel:read'),
    summary: 'Read a channel: what it is for, its state, who is alive, and what came last.',
    input: { path: channelPath },
    output: channelViewSchema,
    errors: NOT_FOUND,
    http: { method: 'GET', path: '/agent-channel/{id}/view' },
    mcp: { tool: 'channel', action: 'read' },
    cli: { command: 'channel read', positionals: ['id'] },
  },
  'channel.spec': {
    ...read('ours', 'channel:read'),
    summary: 'Read the mission and the rules of a channel.',
    input: { path: channelPath },
    output: z.record(z.string(), z.unknown()),
    errors: ['channel_not_found', 'channel_state_missing'],
    http: { method: 'GET', path: '/agent-channel/{id}/spec' },
    cli: { command: 'channel spec', positionals: ['id'] },
  },
  'channel.state': {
    ...read('ours', 'channel:read'),
    summary: 'Read the state of a channel; its `seq` is the ETag to change it with.',
    input: { path: channelPath },
    output: z.record(z.string(), z.unknown()),
    errors: ['channel_not_found', 'channel_state_missing'],
    http: { method: 'GET', path: '/agent-channel/{id}/state' },
    mcp: { tool: 'channel', action: 'state' },
    cli: { command: 'channel state', positionals: ['id'] },
  },
  'channel.events': {
    ...outside('ours', 'channel:read'),
    summary:
      'Read events, the newest first; after a number, the oldest first, waiting for the next if asked to.',
    input: {
      path: channelPath,
      query: z.object({
        kind: z.string().max(64).optional(),
        limit: z.int().min(1).max(500).optional(),
        after: z.int().min(0).optional(),
        wait: z.number().min(0).max(55).optional(),
        agent: agent.optional().describe('Whoever reads: what is handed out is noted as delivered.'),
      }),
    },
    output: z.object({ events: z.array(channelEventSchema), next: z.int() }),
    errors: NOT_FOUND,
    http: { method: 'GET', path: '/agent-channel/{id}/events' },
    mcp: { tool: 'channel', action: 'events' },
    cli: { command: 'channel events', positionals: ['id'] },
  },
  'channel.follow': {
    ...stream('ours', 'channel:read'),
    summary: 'Follow the events of a channel, from any number on.',
    input: {
      path: channelPath,
      query: z.object({ after: z.int().min(0).optional() }),
      headers: z.object({ 'last-event-id': z.int().min(0).optional() }),
    },
    output: channelEventSchema,
    errors: NOT_FOUND,
    http: { method: 'GET', path: '/agent-channel/{id}/events/stream' },
    cli: { command: 'channel follow', positionals: ['id'] },
  },
  'channel.post': {
    ...write('ours', 'channel:write'),
    summary: 'Append an event; a state only if it is still the one that was read.',
    input: {
      path: channelPath,
      headers: z.object({ 'if-match': z.string().optional() }),
      body: z.object({
        kind: z
          .string()
          .min(1)
          .max(64)
          .regex(/^[\w.-]+$/),
        author: z.string().max(128).optional(),
        payload: z.record(z.string(), z.unknown()),
        expected_state_seq: z.int().min(0).optional().describe('0 where there must be no state yet.'),
        fencing_token: z.int().min(1).optional().describe('Of the lease `handoff`, where somebody holds it.'),
      }),
    },
    output: channelEventSchema,
    errors: [
      'channel_not_found',
      'channel_closed',
      'state_conflict',
      'concept_conflict',
      'lease_held',
      'lease_lost',
    ],
    http: { method: 'POST', path: '/agent-channel/{id}/event', status: 201 },
    mcp: { tool: 'channel', action: 'post' },
    cli: { command: 'channel post', positionals: ['id'] },
  },
  'channel.close': {
    ...write('ours', 'channel:manage'),
    summary: 'Close a channel; it stays readable.',
    input: { path: channelPath },
    output: channelSchema,
    errors: NOT_FOUND,
    http: { method: 'POST', path: '/agent-channel/{id}/close' },
    mcp: { tool: 'channel', action: 'close' },
    cli: { command: 'channel close', positionals: ['id'] },
  },
  'channel.lease': {
    ...write('ours', 'channel:write'),
    summary: 'Take or renew a lease; its fencing token proves later that it is still held.',
    input: {
      path: channelPath,
      body: z.object({
        holder: agent,
        name: leaseName,
        ttl_seconds: z.int().min(1).max(3600).optional(),
        fencing_token: z.int().min(1).optional().describe('To renew.'),
      }),
    },
    output: leaseSchema,
    errors: ['channel_not_found', 'channel_closed', 'lease_held', 'lease_lost'],
    http: { method: 'POST', path: '/agent-channel/{id}/lease' },
    mcp: { tool: 'channel', action: 'lease' },
    cli: { command: 'channel lease', positionals: ['id'] },
  },
  'channel.release': {
    ...write('ours', 'channel:write'),
    summary: 'Give a lease back.',
    input: { path: channelPath, body: z.object({ name: leaseName, fencing_token: z.int().min(1) }) },
    output: z.null(),
    errors: ['channel_not_found', 'lease_lost'],
    http: { method: 'POST', path: '/agent-channel/{id}/release', status: 204 },
    mcp: { tool: 'channel', action: 'release' },
    cli: { command: 'channel release', positionals: ['id'] },
  },
  'channel.receipt': {
    ...write('ours', 'channel:write'),
    summary: 'Say up to which event an agent has read.',
    input: { path: channelPath, body: z.object({ agent, read_seq: z.int().min(0) }) },
    output: receiptSchema,
    errors: ['channel_not_found', 'receipt_ahead'],
    http: { method: 'POST', path: '/agent-channel/{id}/receipts', status: 201 },
    mcp: { tool: 'channel', action: 'receipt' },
    cli: { command: 'channel receipt', positionals: ['id'] },
  },
  'channel.receipts': {
    ...read('ours', 'channel:read'),
    summary: 'See what was handed to which agent, and what it has read.',
    input: { path: channelPath },
    output: z.object({ receipts: z.array(receiptSchema) }),
    errors: NOT_FOUND,
    http: { method: 'GET', path: '/agent-channel/{id}/receipts' },
    mcp: { tool: 'channel', action: 'receipts' },
    cli: { command: 'channel receipts', positionals: ['id'] },
  },
  'channel.request': {
    ...outside('ours', 'channel:write'),
    summary: 'Write a request envelope: who asks for what, of whom.',
    input: {
      body: z.object({
        action: z.string().min(1).max(64),
        host: z.string().min(1).max(128),
        role: z.enum(['relay', 'orchestrator', 'planner', 'validator', 'worker', 'deployer']),
        destructive: z.boolean().optional(),
        text: z.string().max(100_000).optional(),
        session: z.string().max(256).optional(),
      }),
    },
    output: z.object({ envelope: z.string() }),
    errors: [],
    http: { method: 'POST', path: '/v1/relay/envelopes' },
    mcp: { tool: 'channel', action: 'request' },
    cli: { command: 'channel request', positionals: ['action'] },
  },
  'channel.verify': {
    ...outside('ours', 'channel:read'),
    summary: 'Check a request envelope; what does not verify is hostile.',
    input: {
      body: z.object({
        envelope: z.string().max(200_000),
        issuers: z.array(z.string()).optional().describe('Who is trusted; yourself unless said otherwise.'),
        hosts: z
          .array(z.string())
          .optional()
          .describe('The host classes that exist; any unless said otherwise.'),
      }),
    },
    output: z.object({ verified: z.literal(true), fields: z.record(z.string(), z.string()) }),
    errors: ['envelope_unverified'],
    http: { method: 'POST', path: '/v1/relay/envelopes/verify' },
    mcp: { tool: 'channel', action: 'verify' },
    cli: { command: 'channel verify', positionals: ['envelope'] },
  },
});
