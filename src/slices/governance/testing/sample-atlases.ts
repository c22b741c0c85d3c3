/** Atlases as their authors write them, with every kind of rule: the language's tests misspell them. */
import type { AtlasManifest } from '../atlases/schema.ts';

const base = { atlas_version: '1.0' as const, version: '1.0.0', license: 'MIT', authors: ['a'] };

export const SAMPLE_ATLASES: readonly AtlasManifest[] = [
  {
    ...base,
    atlas_id: 'com.example.refunds',
    name: 'Refunds',
    description: 'What the support agent may pay back',
    domains: ['support'],
    capabilities: [{ capability_id: 'money', name: 'Money', actions: ['order.refund'] }],
    actions: [
      {
        action_id: 'order.refund',
        name: 'Refund',
        description: 'Pays back',
        executor: 'echo',
        risk_tier: 'medium',
        rate_limit: { max_calls: 100, window_seconds: 3600 },
        parameters_schema: {
          type: 'object',
          required: ['order', 'amount', 'currency'],
          additionalProperties: false,
          properties: {
            order: { type: 'string', format: 'uuid' },
            amount: { type: 'number', minimum: 0 },
            total: { type: 'number' },
            currency: { enum: ['EUR', 'USD'] },
            note: { type: 'string', maxLength: 200 },
          },
        },
      },
      { action_id: 'order.read', name: 'Read', description: 'Shows an order', executor: 'echo' },
    ],
    policies: [
      { policy_id: 'look', type: 'allow', actions: ['order.read'] },
      {
        policy_id: 'small',
        type: 'allow',
        actions: ['order.refund'],
        conditions: {
          risk_tiers: ['low', 'medium'],
          time_window: {
            start: '09:00',
            end: '17:00',
            timezone: 'Europe/Berlin',
            days: ['mon', 'tue', 'wed', 'thu', 'fri'],
          },
        },
        parameters: { when: { amount: { lte: 100, lte_field: 'total' }, currency: { in: ['EUR'] } } },
      },
      {
        policy_id: 'large',
        type: 'require_approval',
        conditions: { capabilities: ['money'] },
        parameters: {
          reason: 'More than 50',
          approvers: ['lead-*'],
          expires_seconds: 600,
          covers: 'session',
          may_differ: ['note'],
          when: [{ amount: { gt: 50 } }, { currency: { not: { eq: 'EUR' } } }],
        },
      },
      {
        policy_id: 'slow',
        type: 'rate_limit',
        actions: ['order.*'],
        parameters: { max_calls: 2, window_seconds: 60, scope: 'agent' },
      },
      {
        policy_id: 'pot',
        type: 'budget',
        actions: ['order.refund'],
        parameters: {
          limit: 500,
          unit: 'EUR',
          cost_field: 'amount',
          window_seconds: 86400,
          refundable: true,
          scope: 'global',
        },
      },
      {
        policy_id: 'scoped',
        type: 'scope',
        actions: ['order.refund'],
        parameters: { required_scopes: ['refunds:write'] },
      },
    ],
  },
  {
    ...base,
    atlas_id: 'com.example.files',
    name: 'Files',
    description: 'What a coding agent may touch',
    domains: ['code'],
    actions: [
      {
        action_id: 'file.write',
        name: 'Write',
        description: 'Writes files',
        executor: 'echo',
        parameters_schema: {
          type: 'object',
          required: ['files'],
          additionalProperties: false,
          properties: {
            files: {
              type: 'array',
              items: {
                type: 'object',
                required: ['path'],
                additionalProperties: false,
                properties: { path: { type: 'string' }, mode: { enum: ['create', 'replace'] } },
              },
            },
          },
        },
      },
      {
        action_id: 'git.push',
        name: 'Push',
        description: 'Pushes a branch',
        executor: 'echo',
        risk_tier: 'high',
        parameters_schema: {
          type: 'object',
          required: ['ref'],
          additionalProperties: false,
          properties: { ref: { type: 'string' }, force: { type: 'boolean' } },
        },
      },
    ],
    policies: [
      {
        policy_id: 'inside',
        type: 'allow',
        actions: ['file.write'],
        parameters: { when: { files: { all: { path: { path_within: ['src', 'docs'] } } } } },
      },
      {
        policy_id: 'secrets',
        type: 'deny',
        actions: ['file.*'],
        parameters: {
          reason: 'Secrets are not for agents',
          when: { files: { any: { path: { path_matches: { of: ['.env*', '*.pem'], ignore_case: true } } } } },
        },
      },
      { policy_id: 'push', type: 'allow', actions: ['git.push'] },
      {
        policy_id: 'protected',
        type: 'require_approval',
        actions: ['git.push'],
        parameters: { when: [{ ref: { regex: '^refs/heads/main$' } }, { force: true }] },
      },
    ],
  },
];
