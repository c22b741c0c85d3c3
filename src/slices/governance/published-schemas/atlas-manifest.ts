import { DAYS, POLICY_TYPES } from '../atlases/schema.ts';
import { ACTION_ID, ATLAS_ID, CAPABILITY_ID, SEMVER, TIME_OF_DAY } from '../schema.ts';
import {
  bool,
  closed,
  document,
  integer,
  type JsonSchema,
  listOf,
  open,
  riskTier,
  text,
  texts,
  version,
} from './common.ts';

const timeOfDay = { type: 'string', pattern: TIME_OF_DAY.source };
const uri = { type: 'string', format: 'uri', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' };

const conditions = closed({
  risk_tiers: listOf(riskTier),
  agents: texts,
  capabilities: texts,
  context_matches: { type: 'object', additionalProperties: text },
  time_window: {
    type: 'object',
    properties: { start: timeOfDay, end: timeOfDay, timezone: text, days: listOf({ enum: DAYS }) },
  },
});

const capability = closed(
  {
    capability_id: { type: 'string', pattern: CAPABILITY_ID.source },
    name: text,
    description: text,
    actions: texts,
    context_packs: texts,
  },
  ['capability_id', 'name'],
);

const contextPack = closed(
  {
    pack_id: text,
    name: text,
    description: text,
    files: texts,
    priority: integer(0, 1000),
    conditions: { $ref: '#/$defs/conditions' },
    max_tokens: integer(0),
  },
  ['pack_id', 'name', 'files'],
);

const policy = closed(
  {
    policy_id: text,
    name: text,
    description: text,
    type: { enum: POLICY_TYPES },
    priority: integer(),
    conditions: { $ref: '#/$defs/conditions' },
    actions: texts,
    parameters: open,
  },
  ['policy_id', 'type'],
);

const action = closed(
  {
    action_id: { type: 'string', pattern: ACTION_ID.source },
    name: text,
    description: text,
    parameters_schema: open,
    returns_schema: open,
    risk_tier: riskTier,
    idempotent: bool,
    requires_confirmation: bool,
    executor: text,
    timeout_seconds: integer(1, 300),
    rate_limit: { type: 'object', properties: { max_calls: integer(1), window_seconds: integer(1) } },
    examples: listOf({
      type: 'object',
      properties: { name: text, parameters: open, expected_result: open },
    }),
  },
  ['action_id', 'name', 'description'],
);

export const atlasManifestJsonSchema: JsonSchema = document('atlas-manifest', 'Atlas manifest', {
  ...closed(
    {
      atlas_version: version,
      atlas_id: { type: 'string', pattern: ATLAS_ID.source },
      version: { type: 'string', pattern: SEMVER.source },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      description: { type: 'string', maxLength: 1000 },
      authors: texts,
      license: text,
      homepage: uri,
      repository: uri,
      domains: texts,
      capabilities: listOf(capability),
      context_packs: listOf(contextPack),
      policies: listOf(policy),
      actions: listOf(action),
      adapters: {
        type: 'object',
        additionalProperties: { type: 'object', properties: { enabled: bool, settings: open } },
      },
      dependencies: { type: 'object', additionalProperties: text },
      metadata: open,
    },
    ['atlas_version', 'atlas_id', 'version', 'name', 'description'],
  ),
  $defs: { conditions },
});
