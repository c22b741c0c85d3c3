import type { Migration } from '../../spine/storage/migration.ts';

export const governanceMigrations: readonly Migration[] = [
  {
    name: 'governance/0001-atlases',
    statements: (ddl) => [
      `create table governance_atlas_contents (
        digest ${ddl.text} primary key,
        manifest ${ddl.text} not null,
        blocks ${ddl.text} not null,
        files ${ddl.text} not null
      ) ${ddl.end}`,
      `create table governance_atlas_loads (
        load_id ${ddl.serial},
        project_id ${ddl.text} not null,
        atlas_id ${ddl.text} not null,
        version ${ddl.text} not null,
        digest ${ddl.text} not null references governance_atlas_contents (digest),
        mode ${ddl.text} not null check (mode in ('enforce', 'log_only')),
        loaded_at ${ddl.text} not null,
        loaded_us ${ddl.int} not null,
        loaded_by ${ddl.text} not null,
        unloaded_us ${ddl.int}
      ) ${ddl.end}`,
      `create unique index governance_atlas_active on governance_atlas_loads (project_id, atlas_id)
        where unloaded_us is null`,
      'create index governance_atlas_history on governance_atlas_loads (project_id, load_id)',
    ],
  },
  {
    name: 'governance/0002-requests',
    statements: (ddl) => [
      `create table governance_requests (
        session_id ${ddl.text} not null,
        request_id ${ddl.text} not null,
        received_us ${ddl.int} not null,
        primary key (session_id, request_id)
      ) ${ddl.end}`,
      `create table governance_resolutions (
        resolution_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        session_id ${ddl.text} not null,
        request_id ${ddl.text} not null,
        body ${ddl.text} not null,
        created_us ${ddl.int} not null,
        expires_us ${ddl.int} not null,
        cache_key ${ddl.text},
        check (expires_us >= created_us)
      ) ${ddl.end}`,
      'create index governance_resolutions_cache on governance_resolutions (session_id, cache_key, expires_us)',
      'create index governance_resolutions_age on governance_resolutions (expires_us)',
      `create table governance_inputs (
        session_id ${ddl.text} not null,
        request_id ${ddl.text} not null,
        resolution_id ${ddl.text} not null,
        project_id ${ddl.text} not null,
        decided_us ${ddl.int} not null,
        line ${ddl.text} not null,
        primary key (session_id, request_id)
      ) ${ddl.end}`,
      'create index governance_inputs_resolution on governance_inputs (resolution_id)',
    ],
  },
  {
    name: 'governance/0003-executions',
    statements: (ddl) => [
      `create table governance_executions (
        execution_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        session_id ${ddl.text} not null,
        request_id ${ddl.text} not null,
        resolution_id ${ddl.text} not null,
        atlas_digest ${ddl.text} not null,
        action_id ${ddl.text} not null,
        parameters_hash ${ddl.text} not null,
        parameters ${ddl.text},
        idempotency_key ${ddl.text},
        span_id ${ddl.text} not null,
        state ${ddl.text} not null check (state in ('running', 'success', 'error', 'outcome_unknown')),
        started_us ${ddl.int} not null,
        lease_us ${ddl.int} not null,
        finished_us ${ddl.int},
        response ${ddl.text},
        check ((state = 'running') = (finished_us is null))
      ) ${ddl.end}`,
      `create unique index governance_executions_key on governance_executions (session_id, action_id, idempotency_key)
        where idempotency_key is not null`,
      `create index governance_executions_running on governance_executions (lease_us) where state = 'running'`,
      `create table governance_charges (
        charge_id ${ddl.serial},
        limit_key ${ddl.text} not null,
        at_us ${ddl.int} not null,
        amount ${ddl.text} not null,
        execution_id ${ddl.text} not null,
        refundable ${ddl.int} not null check (refundable in (0, 1))
      ) ${ddl.end}`,
      'create index governance_charges_key on governance_charges (limit_key, at_us)',
      'create index governance_charges_execution on governance_charges (execution_id)',
    ],
  },
  {
    name: 'governance/0004-approvals',
    statements: (ddl) => [
      `create table governance_approvals (
        approval_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        session_id ${ddl.text} not null,
        agent_id ${ddl.text} not null,
        resolution_id ${ddl.text},
        action_ids ${ddl.text} not null,
        policy_id ${ddl.text} not null,
        approvers ${ddl.text},
        reason ${ddl.text} not null,
        risk_tier ${ddl.text} not null,
        goal ${ddl.text} not null,
        parameters_hash ${ddl.text},
        status ${ddl.text} not null check (status in ('pending', 'approved', 'rejected', 'expired')),
        requested_at ${ddl.text} not null,
        requested_us ${ddl.int} not null,
        expires_at ${ddl.text} not null,
        expires_us ${ddl.int} not null,
        approver ${ddl.text},
        decided_at ${ddl.text},
        decision_reason ${ddl.text},
        check ((status in ('approved', 'rejected')) = (approver is not null))
      ) ${ddl.end}`,
      'create index governance_approvals_session on governance_approvals (session_id, status)',
      'create index governance_approvals_project on governance_approvals (project_id, requested_us)',
    ],
  },
  {
    // A resolution names approvals that nobody has been asked for yet; and a person sees the call that asked.
    name: 'governance/0005-asked-approvals',
    statements: (ddl) => [
      `alter table governance_approvals add column asked_us ${ddl.int}`,
      'update governance_approvals set asked_us = requested_us',
      `alter table governance_approvals add column covers ${ddl.text} not null default 'session'
        check (covers in ('session', 'call'))`,
      `update governance_approvals set covers = 'call' where parameters_hash is not null`,
      `alter table governance_approvals add column parameters ${ddl.text}`,
    ],
  },
  {
    // A yes is a grant to one policy of one Atlas version; what it allows, and each use of it, is a row. What was approved
    // before for a whole session grants nothing any more: it was never said which policy it satisfied.
    name: 'governance/0006-grants',
    statements: (ddl) => [
      `alter table governance_approvals add column atlas_id ${ddl.text}`,
      `alter table governance_approvals add column atlas_version ${ddl.text}`,
      `alter table governance_approvals add column atlas_digest ${ddl.text}`,
      `alter table governance_approvals add column may_differ ${ddl.text} not null default '[]'`,
      `alter table governance_approvals add column permits ${ddl.text} not null default '[]'`,
      `alter table governance_approvals add column bound_hash ${ddl.text}`,
      'update governance_approvals set bound_hash = parameters_hash',
      `alter table governance_approvals add column requested_by ${ddl.text}`,
      `alter table governance_approvals add column requested_by_type ${ddl.text}`,
      `alter table governance_approvals add column requested_with ${ddl.text}`,
      'alter table governance_approvals drop column covers',
      `create index governance_approvals_agent on governance_approvals (project_id, agent_id)
        where status = 'pending'`,
      `create table governance_grants (
        approval_id ${ddl.text} primary key references governance_approvals (approval_id),
        project_id ${ddl.text} not null,
        atlas_id ${ddl.text} not null,
        atlas_version ${ddl.text} not null,
        atlas_digest ${ddl.text} not null,
        policy_id ${ddl.text} not null,
        agent_id ${ddl.text} not null,
        bound_agent ${ddl.text} not null,
        session_id ${ddl.text},
        action_ids ${ddl.text} not null,
        covers ${ddl.text} not null check (covers in ('call', 'action', 'session', 'rule')),
        single ${ddl.int} not null,
        bound_hash ${ddl.text},
        may_differ ${ddl.text} not null,
        risk_tier ${ddl.text} not null check (risk_tier in ('low', 'medium', 'high', 'critical')),
        granted_by ${ddl.text} not null,
        granted_at ${ddl.text} not null,
        granted_us ${ddl.int} not null,
        expires_us ${ddl.int},
        revoked_by ${ddl.text},
        revoked_at ${ddl.text},
        unique (approval_id, single),
        check (single = case when covers in ('call', 'action') then 1 else 0 end),
        check ((covers = 'rule') = (session_id is null)),
        check ((covers = 'rule') = (expires_us is null)),
        check (covers <> 'rule' or risk_tier in ('low', 'medium')),
        check (covers <> 'call' or bound_hash is not null),
        check (covers <> 'action' or bound_hash is null),
        check (granted_by <> agent_id and granted_by <> bound_agent),
        check ((revoked_by is null) = (revoked_at is null))
      ) ${ddl.end}`,
      'create index governance_grants_session on governance_grants (session_id) where session_id is not null',
      'create index governance_grants_rules on governance_grants (project_id, bound_agent) where session_id is null',
      'create index governance_grants_project on governance_grants (project_id, granted_us)',
      // What used a grant is an execution, or the request of a gate or a message. It uses one grant for each policy.
      `create table governance_grant_uses (
        used_by ${ddl.text} not null,
        atlas_id ${ddl.text} not null,
        policy_id ${ddl.text} not null,
        approval_id ${ddl.text} not null,
        single ${ddl.int} not null,
        used_us ${ddl.int} not null,
        primary key (used_by, atlas_id, policy_id),
        foreign key (approval_id, single) references governance_grants (approval_id, single)
      ) ${ddl.end}`,
      'create unique index governance_grant_spent on governance_grant_uses (approval_id) where single = 1',
      'create index governance_grant_uses_grant on governance_grant_uses (approval_id)',
    ],
  },
  {
    // Counters had no project in their names, so that projects with the same Atlas spent each other's allowance.
    name: 'governance/0007-limits-of-projects',
    statements: () => [
      `update governance_charges set limit_key = coalesce((select project_id from governance_executions
        where governance_executions.execution_id = governance_charges.execution_id), '') || ' ' || limit_key`,
    ],
  },
  {
    // A guardrail's rules apply to every request of the project. Null where it is none, as for all loads before.
    name: 'governance/0008-guardrails',
    statements: (ddl) => [
      `alter table governance_atlas_loads add column guardrail ${ddl.int} check (guardrail = 1)`,
    ],
  },
  {
    // Each gateway has an Atlas of its own, which only it names. What it finds changed waits for a person with the whole
    // manifest that would be loaded.
    name: 'governance/0009-gateways',
    statements: (ddl) => [
      `alter table governance_atlas_loads add column by_name_only ${ddl.int}`,
      `create table governance_gateway_changes (
        item_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        atlas_id ${ddl.text} not null,
        replaces ${ddl.text},
        manifest ${ddl.text} not null,
        digest ${ddl.text} not null,
        shown ${ddl.text} not null,
        status ${ddl.text} not null check (status in ('open', 'accepted', 'rejected')),
        opened_us ${ddl.int} not null
      ) ${ddl.end}`,
      'create index governance_gateway_changes_atlas on governance_gateway_changes (project_id, atlas_id, digest)',
    ],
  },
  {
    // What calls were decided by, parameters included, so that they can be decided again by another version of an Atlas.
    name: 'governance/0020-calls',
    statements: (ddl) => [
      `create table governance_calls (
        call_id ${ddl.text} primary key,
        project_id ${ddl.text} not null,
        session_id ${ddl.text} not null,
        execution_id ${ddl.text},
        decided_us ${ddl.int} not null,
        line ${ddl.text} not null
      ) ${ddl.end}`,
      'create index governance_calls_time on governance_calls (project_id, decided_us, call_id)',
      'create index governance_calls_session on governance_calls (session_id, decided_us)',
      `create unique index governance_calls_execution on governance_calls (execution_id)
        where execution_id is not null`,
      'create index governance_executions_time on governance_executions (project_id, started_us)',
      'create index governance_inputs_time on governance_inputs (project_id, decided_us)',
    ],
  },
  {
    // How many people have to agree, and who did besides the last one. Null where one is enough.
    name: 'governance/0021-quorum',
    statements: (ddl) => [
      `alter table governance_approvals add column quorum ${ddl.int} check (quorum >= 2)`,
      `alter table governance_grants add column agreed_by ${ddl.text}`,
    ],
  },
  {
    // What a person approved instead of what was asked. Null where it was approved as it was.
    name: 'governance/0022-edited-approvals',
    statements: (ddl) => [
      `alter table governance_approvals add column edited_parameters ${ddl.text}`,
      `alter table governance_approvals add column edited_hash ${ddl.text}
        check ((edited_hash is null) = (edited_parameters is null))`,
    ],
  },
  {
    // By these, what one person has always approved is found, and what else was decided of the same kind.
    name: 'governance/0023-decided-approvals',
    statements: () => [
      `create index governance_approvals_approver on governance_approvals (approver, decided_at)
        where status = 'approved'`,
      'create index governance_approvals_rule on governance_approvals (project_id, policy_id, agent_id, requested_us)',
    ],
  },
];
