import { z } from 'zod';
import { defineOperations, outside, read } from '../../../spine/operations/define.ts';
import {
  replayPageSchema,
  replayPlanSchema,
  replaySchema,
  replaySourceSchema,
  replayStepSchema,
} from './schema.ts';

const replayId = z.string().max(64);
const SOURCE_ERRORS = [
  'trace_not_found',
  'relay_session_not_found',
  'nothing_to_replay',
  'replay_target_unclear',
  'replay_too_long',
];

export const replayOperations = defineOperations({
  'relay.replay.plan': {
    ...outside('ours', 'trace:read'),
    summary: 'Say what a replay would send to whom, what it could not send, and why. Sends nothing.',
    input: { body: replaySourceSchema },
    output: replayPlanSchema,
    errors: SOURCE_ERRORS,
    idempotency: 'repeatable',
    http: { method: 'POST', path: '/v1/relay/replays/plan' },
    mcp: { tool: 'traces', action: 'plan_replay', reads: true },
  },
  'relay.replay': {
    ...outside('ours', 'relay:send'),
    summary:
      'Send a captured message, or those of a session, again to the same or another agent, and compare.',
    description:
      'The messages are sent in their order, in conversations of their own and in your name; limits and policy apply to ' +
      'each. The answer comes at once: `relay.replay.show` says how far it is. Needs `trace:read` as well.',
    input: { body: replaySourceSchema },
    output: replaySchema,
    decides: true,
    errors: [...SOURCE_ERRORS, 'too_many_replays'],
    http: { method: 'POST', path: '/v1/relay/replays', status: 201 },
    mcp: { tool: 'relay', action: 'replay' },
  },
  'relay.replays': {
    ...read('ours', 'trace:read'),
    summary: 'List replays, the latest first.',
    input: { query: z.object({ limit: z.int().min(1).max(200).optional() }) },
    output: z.object({ items: z.array(replaySchema) }),
    errors: [],
    http: { method: 'GET', path: '/v1/relay/replays' },
    cli: { command: 'relay replays' },
  },
  'relay.replay.show': {
    ...outside('ours', 'trace:read'),
    summary: 'Compare what came of the messages of a replay with what came of the originals.',
    input: {
      path: z.object({ replay_id: replayId }),
      query: z.object({
        after: z.int().min(0).optional().describe('`next` of the page before.'),
        limit: z.int().min(1).max(100).optional(),
        wait: z.number().min(0).max(55).optional().describe('Seconds to wait for it to end.'),
      }),
    },
    output: replayPageSchema,
    errors: ['replay_not_found'],
    http: { method: 'GET', path: '/v1/relay/replays/{replay_id}' },
    mcp: { tool: 'traces', action: 'replay' },
    cli: { command: 'relay replayed', positionals: ['replay_id'] },
  },
  'relay.replay.step': {
    ...outside('ours', 'trace:read'),
    summary: 'Compare one message of a replay in full, of a stream piece by piece.',
    input: { path: z.object({ replay_id: replayId }), query: z.object({ number: z.int().min(1) }) },
    output: replayStepSchema,
    errors: ['replay_not_found'],
    http: { method: 'GET', path: '/v1/relay/replays/{replay_id}/step' },
    mcp: { tool: 'traces', action: 'replay_step' },
    cli: { command: 'relay replayed-step', positionals: ['replay_id', 'number'] },
  },
  'relay.replay.stop': {
    ...outside('ours', 'relay:send'),
    summary: 'Stop a replay: what was not sent yet is not sent.',
    description: 'Whoever began it may; for anybody else it takes `relay:manage`.',
    input: { path: z.object({ replay_id: replayId }) },
    output: replaySchema,
    errors: ['replay_not_found'],
    idempotency: 'repeatable',
    http: { method: 'POST', path: '/v1/relay/replays/{replay_id}/stop' },
    mcp: { tool: 'relay', action: 'stop_replay' },
    cli: { command: 'relay replay-stop', positionals: ['replay_id'] },
  },
});
