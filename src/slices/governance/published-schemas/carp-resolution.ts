import { ACTION_ID } from '../schema.ts';
import {
  bool,
  closed,
  document,
  instant,
  instantOrNull,
  integer,
  listOf,
  open,
  riskTier,
  text,
  uuid,
  version,
} from './common.ts';

const textOrNull = { type: ['string', 'null'] };

export const carpResolutionJsonSchema = document(
  'carp-resolution',
  'CARP resolution',
  closed(
    {
      carp_version: version,
      resolution_id: uuid,
      request_id: uuid,
      timestamp: instant,
      decision: closed(
        {
          type: { enum: ['allow', 'deny', 'partial', 'requires_approval'] },
          reason: textOrNull,
          approval_id: textOrNull,
          expires_at: instantOrNull,
        },
        ['type'],
      ),
      context_blocks: listOf(
        closed(
          {
            block_id: text,
            source: text,
            content_type: { enum: ['text/markdown', 'text/plain', 'application/json'] },
            content: text,
            priority: integer(0, 1000),
            token_estimate: integer(0),
            metadata: open,
          },
          ['block_id', 'source', 'content_type', 'content', 'priority'],
        ),
      ),
      allowed_actions: listOf(
        closed(
          {
            action_id: { type: 'string', pattern: ACTION_ID.source },
            name: text,
            description: text,
            parameters_schema: open,
            returns_schema: open,
            risk_tier: riskTier,
            requires_confirmation: bool,
            idempotent: bool,
            rate_limit: closed({ max_calls: integer(1), window_seconds: integer(1) }, [
              'max_calls',
              'window_seconds',
            ]),
          },
          ['action_id', 'name', 'description'],
        ),
      ),
      denied_actions: listOf(
        closed({ action_id: text, reason: text, policy_id: text }, ['action_id', 'reason']),
      ),
      constraints: listOf(
        closed(
          {
            constraint_id: text,
            type: { enum: ['rate_limit', 'budget', 'time_window', 'require_approval', 'scope'] },
            parameters: open,
          },
          ['constraint_id', 'type'],
        ),
      ),
      ttl_seconds: integer(0, 86_400),
      trace_id: uuid,
    },
    [
      'carp_version',
      'resolution_id',
      'request_id',
      'timestamp',
      'decision',
      'context_blocks',
      'allowed_actions',
      'denied_actions',
      'constraints',
      'ttl_seconds',
      'trace_id',
    ],
  ),
);
