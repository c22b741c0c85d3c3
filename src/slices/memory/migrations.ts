import type { Ddl, Migration } from '../../spine/storage/migration.ts';

/** What people and agents said is stored in `memory_texts` and nowhere else; the other tables hold ids, words and numbers. */
export const memoryMigrations: readonly Migration[] = [
  {
    name: 'memory/0001-memory',
    statements: (ddl) => [...profiles(ddl), ...memories(ddl), ...consent(ddl), ...webhooks(ddl)],
  },
  {
    name: 'memory/0002-look-ups',
    statements: () => [
      'create index memory_proposals_by_fingerprint on memory_proposals (profile_did, fingerprint, agent_did)',
      'create index memory_proposals_automatic on memory_proposals (profile_did, proposed_us) where automatic = 1',
      'create index memory_merges_standing on memory_merges (profile_did) where undone_at is null',
    ],
  },
  { name: 'memory/0003-lowered', statements: lowered },
  { name: 'memory/0004-erasures', statements: erasures },
  {
    name: 'memory/0005-batches',
    statements: (ddl) => [
      `alter table memory_proposals add column batch_id ${ddl.text}`,
      'create index memory_proposals_by_batch on memory_proposals (batch_id) where batch_id is not null',
    ],
  },
];

const ofProfile = (ddl: Ddl) =>
  `profile_did ${ddl.text} not null references memory_profiles (did) on delete cascade`;

function profiles(ddl: Ddl): string[] {
  return [
    `create table memory_profiles (
      did ${ddl.text} primary key,
      project_id ${ddl.text} not null,
      profile_type ${ddl.text} not null,
      owner_actor ${ddl.text} not null,
      declined_key ${ddl.text} not null,
      settings ${ddl.text} not null,
      created_at ${ddl.text} not null,
      created_us ${ddl.int} not null
    ) ${ddl.end}`,
    'create index memory_profiles_by_project on memory_profiles (project_id, created_us)',
    `create table memory_texts (
      ${ofProfile(ddl)},
      ref ${ddl.text} not null,
      salt ${ddl.text} not null,
      body ${ddl.text} not null,
      primary key (profile_did, ref)
    ) ${ddl.end}`,
    `create table memory_agents (
      did ${ddl.text} primary key,
      project_id ${ddl.text} not null,
      document ${ddl.text} not null,
      public_key ${ddl.text},
      created_at ${ddl.text} not null
    ) ${ddl.end}`,
    `create table memory_categories (
      project_id ${ddl.text} not null,
      category ${ddl.text} not null,
      version ${ddl.text} not null,
      spec_url ${ddl.text},
      maintainer_did ${ddl.text} not null,
      sensitivity ${ddl.text} not null check (sensitivity in ('public', 'standard', 'sensitive', 'restricted')),
      primary key (project_id, category)
    ) ${ddl.end}`,
    `create table memory_nonces (
      did ${ddl.text} not null,
      nonce ${ddl.text} not null,
      seen_us ${ddl.int} not null,
      primary key (did, nonce)
    ) ${ddl.end}`,
    'create index memory_nonces_age on memory_nonces (seen_us)',
  ];
}

function memories(ddl: Ddl): string[] {
  return [
    `create table memory_classes (
      class_id ${ddl.serial},
      ${ofProfile(ddl)},
      type ${ddl.text} not null check (type in ('episodic', 'semantic', 'procedural')),
      category ${ddl.text} not null,
      sensitivity ${ddl.text} not null check (sensitivity in ('public', 'standard', 'sensitive', 'restricted')),
      scope ${ddl.text} not null,
      unique (profile_did, type, category, sensitivity, scope)
    ) ${ddl.end}`,
    `create table memory_items (
      position ${ddl.serial},
      ${ofProfile(ddl)},
      memory_id ${ddl.text} not null,
      class_id ${ddl.int} not null references memory_classes (class_id),
      status ${ddl.text} not null check (status in ('pending', 'approved', 'rejected', 'archived', 'expired')),
      confidence ${ddl.real} not null check (confidence >= 0 and confidence <= 1),
      agent_did ${ddl.text},
      session_id ${ddl.text},
      learned_us ${ddl.int},
      since_us ${ddl.int} not null,
      use_count ${ddl.int} not null check (use_count >= 0),
      last_used_at ${ddl.text},
      pinned ${ddl.int} not null check (pinned in (0, 1)),
      superseded_by ${ddl.text},
      unique (profile_did, memory_id)
    ) ${ddl.end}`,
    'create index memory_items_by_class on memory_items (class_id, status, position)',
    'create index memory_items_by_agent on memory_items (profile_did, agent_did)',
    `create table memory_proposals (
      seq ${ddl.serial},
      proposal_id ${ddl.text} not null unique,
      ${ofProfile(ddl)},
      agent_did ${ddl.text} not null,
      kind ${ddl.text} not null check (kind in ('memory', 'reclassification', 'consolidation')),
      type ${ddl.text} not null check (type in ('episodic', 'semantic', 'procedural')),
      category ${ddl.text},
      confidence ${ddl.real} not null,
      target_memory_id ${ddl.text},
      status ${ddl.text} not null
        check (status in ('pending', 'approved', 'rejected', 'expired', 'edited', 'withdrawn')),
      proposed_at ${ddl.text} not null,
      proposed_us ${ddl.int} not null,
      expires_at ${ddl.text} not null,
      expires_us ${ddl.int} not null,
      resolved_at ${ddl.text},
      resolved_by ${ddl.text},
      created_memory_id ${ddl.text},
      fingerprint ${ddl.text} not null,
      item_id ${ddl.text},
      automatic ${ddl.int} not null check (automatic in (0, 1)),
      check ((status in ('pending', 'expired')) or resolved_at is not null)
    ) ${ddl.end}`,
    `create unique index memory_one_pending on memory_proposals (profile_did, agent_did, fingerprint)
      where status = 'pending'`,
    'create index memory_proposals_by_agent on memory_proposals (profile_did, agent_did, proposed_us)',
    `create table memory_declined (
      ${ofProfile(ddl)},
      fingerprint ${ddl.text} not null,
      declined_us ${ddl.int} not null,
      primary key (profile_did, fingerprint)
    ) ${ddl.end}`,
    `create table memory_merges (
      merge_id ${ddl.text} primary key,
      ${ofProfile(ddl)},
      memory_id ${ddl.text} not null,
      sources ${ddl.text} not null,
      merged_at ${ddl.text} not null,
      merged_by ${ddl.text} not null,
      undone_at ${ddl.text}
    ) ${ddl.end}`,
    `create table memory_uses (
      ${ofProfile(ddl)},
      memory_id ${ddl.text} not null,
      agent_did ${ddl.text} not null,
      session_key ${ddl.text} not null,
      day ${ddl.text} not null,
      primary key (profile_did, memory_id, agent_did, session_key)
    ) ${ddl.end}`,
  ];
}

function consent(ddl: Ddl): string[] {
  return [
    `create table memory_policies (
      position ${ddl.serial},
      ${ofProfile(ddl)},
      policy_id ${ddl.text} not null,
      document ${ddl.text} not null,
      unique (profile_did, policy_id)
    ) ${ddl.end}`,
    `create table memory_blocks (
      ${ofProfile(ddl)},
      agent_did ${ddl.text} not null,
      blocked_at ${ddl.text} not null,
      primary key (profile_did, agent_did)
    ) ${ddl.end}`,
    `create table memory_receipts (
      seq ${ddl.serial},
      receipt_id ${ddl.text} not null unique,
      ${ofProfile(ddl)},
      agent_did ${ddl.text} not null,
      operator_did ${ddl.text},
      policy_id ${ddl.text},
      granted ${ddl.text} not null,
      denied ${ddl.text} not null,
      permissions ${ddl.text} not null,
      purpose ${ddl.text} not null,
      consent_method ${ddl.text} not null,
      granted_at ${ddl.text} not null,
      expires_at ${ddl.text} not null,
      expires_us ${ddl.int} not null,
      revoked_at ${ddl.text},
      revoked_reason ${ddl.text}
    ) ${ddl.end}`,
    'create index memory_receipts_live on memory_receipts (profile_did, agent_did, expires_us)',
    `create table memory_accesses (
      seq ${ddl.serial},
      ${ofProfile(ddl)},
      receipt_id ${ddl.text} not null,
      agent_did ${ddl.text} not null,
      action ${ddl.text} not null check (action in ('read', 'propose', 'write')),
      scopes ${ddl.text} not null,
      request_id ${ddl.text} not null,
      accessed_at ${ddl.text} not null
    ) ${ddl.end}`,
    'create index memory_accesses_by_receipt on memory_accesses (receipt_id, seq)',
    `create table memory_access_items (
      ${ofProfile(ddl)},
      memory_id ${ddl.text} not null,
      seq ${ddl.int} not null references memory_accesses (seq) on delete cascade,
      primary key (profile_did, memory_id, seq)
    ) ${ddl.end}`,
  ];
}

function webhooks(ddl: Ddl): string[] {
  return [
    `create table memory_webhooks (
      webhook_id ${ddl.text} primary key,
      ${ofProfile(ddl)},
      url ${ddl.text} not null,
      secret ${ddl.text} not null,
      event_types ${ddl.text} not null,
      created_at ${ddl.text} not null
    ) ${ddl.end}`,
    `create table memory_deliveries (
      seq ${ddl.serial},
      event_id ${ddl.text} not null,
      webhook_id ${ddl.text} not null references memory_webhooks (webhook_id) on delete cascade,
      event_type ${ddl.text} not null,
      event ${ddl.text} not null,
      state ${ddl.text} not null check (state in ('waiting', 'delivered', 'dead')),
      last_error ${ddl.text},
      created_us ${ddl.int} not null,
      unique (webhook_id, event_id)
    ) ${ddl.end}`,
  ];
}

/**
 * Whether a person put a class of memories below its category. It is part of what makes classes differ, and SQLite cannot
 * change a table's unique constraint: both tables are made anew. What stood below its category before counts as an
 * agent's word, since nothing recorded whose it was.
 */
function lowered(ddl: Ddl): string[] {
  const classes = 'class_id, profile_did, type, category, sensitivity, scope';
  const items = `position, profile_did, memory_id, class_id, status, confidence, agent_did, session_id, learned_us,
    since_us, use_count, last_used_at, pinned, superseded_by`;
  const randomText = ddl.engine === 'sqlite' ? 'lower(hex(randomblob(16)))' : 'gen_random_uuid()::text';
  const goOn = (table: string, column: string) =>
    `select setval(pg_get_serial_sequence('${table}', '${column}'), coalesce(max(${column}), 0) + 1, false) from ${table}`;
  return [
    `create table memory_classes_new (
      class_id ${ddl.serial},
      ${ofProfile(ddl)},
      type ${ddl.text} not null check (type in ('episodic', 'semantic', 'procedural')),
      category ${ddl.text} not null,
      sensitivity ${ddl.text} not null check (sensitivity in ('public', 'standard', 'sensitive', 'restricted')),
      lowered ${ddl.int} not null check (lowered in (0, 1)),
      scope ${ddl.text} not null,
      salt ${ddl.text} not null default (${randomText}),
      unique (profile_did, type, category, sensitivity, lowered, scope)
    ) ${ddl.end}`,
    `insert into memory_classes_new (${classes}, lowered) select ${classes}, 0 from memory_classes`,
    `create table memory_items_new (
      position ${ddl.serial},
      ${ofProfile(ddl)},
      memory_id ${ddl.text} not null,
      class_id ${ddl.int} not null references memory_classes_new (class_id),
      status ${ddl.text} not null check (status in ('pending', 'approved', 'rejected', 'archived', 'expired')),
      confidence ${ddl.real} not null check (confidence >= 0 and confidence <= 1),
      agent_did ${ddl.text},
      session_id ${ddl.text},
      learned_us ${ddl.int},
      since_us ${ddl.int} not null,
      use_count ${ddl.int} not null check (use_count >= 0),
      last_used_at ${ddl.text},
      pinned ${ddl.int} not null check (pinned in (0, 1)),
      superseded_by ${ddl.text},
      unique (profile_did, memory_id)
    ) ${ddl.end}`,
    `insert into memory_items_new (${items}) select ${items} from memory_items`,
    'drop table memory_items',
    'drop table memory_classes',
    'alter table memory_classes_new rename to memory_classes',
    'alter table memory_items_new rename to memory_items',
    'create index memory_items_by_class on memory_items (class_id, status, position)',
    'create index memory_items_by_agent on memory_items (profile_did, agent_did)',
    ...(ddl.engine === 'postgres'
      ? [goOn('memory_classes', 'class_id'), goOn('memory_items', 'position')]
      : []),
  ];
}

/** Ids and counts: an erasure outlives what it erased, and the profile too. */
function erasures(ddl: Ddl): string[] {
  return [
    `create table memory_erasures (
      erasure_id ${ddl.text} primary key,
      project_id ${ddl.text} not null,
      profile_did ${ddl.text} not null,
      owner_actor ${ddl.text} not null,
      what ${ddl.text} not null check (what in ('memory', 'agent', 'category', 'profile')),
      target ${ddl.text} not null,
      requested_by ${ddl.text} not null,
      requested_at ${ddl.text} not null,
      requested_us ${ddl.int} not null,
      state ${ddl.text} not null check (state in ('removing', 'removed', 'done')),
      memories ${ddl.int} not null check (memories >= 0),
      proposals ${ddl.int} not null check (proposals >= 0),
      unmerged ${ddl.int} not null check (unmerged >= 0),
      removed_at ${ddl.text},
      finished_at ${ddl.text},
      remains ${ddl.text} not null,
      check ((state = 'removing') = (removed_at is null)),
      check ((state = 'done') = (finished_at is not null)),
      check (state <> 'done' or remains = '[]')
    ) ${ddl.end}`,
    `create unique index memory_erasures_one_unfinished on memory_erasures (profile_did, what, target)
      where state <> 'done'`,
    'create index memory_erasures_by_profile on memory_erasures (profile_did, requested_us)',
    'create index memory_erasures_by_owner on memory_erasures (project_id, owner_actor, requested_us)',
    "create index memory_erasures_unfinished on memory_erasures (state) where state <> 'done'",
  ];
}
