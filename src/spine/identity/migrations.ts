import type { Migration } from '../storage/migration.ts';

export const identityMigrations: readonly Migration[] = [
  {
    name: 'identity/0001-projects',
    statements: (ddl) => [
      `create table projects (
        project_id ${ddl.text} primary key,
        name ${ddl.text} not null,
        description ${ddl.text},
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null,
        archived_at ${ddl.text},
        archived_us ${ddl.int},
        settings ${ddl.text} not null,
        extra ${ddl.text} not null,
        check ((archived_at is null) = (archived_us is null))
      ) ${ddl.end}`,
      'create index projects_order on projects (created_us, project_id)',
    ],
  },
  {
    name: 'identity/0002-sessions',
    statements: (ddl) => [
      `create table sessions (
        session_id ${ddl.text} primary key,
        project_id ${ddl.text} not null references projects (project_id),
        callsign ${ddl.text},
        actor_id ${ddl.text} not null,
        actor_type ${ddl.text} not null check (actor_type in ('human', 'agent', 'script')),
        agent_id ${ddl.text},
        goal ${ddl.text},
        atlas_id ${ddl.text},
        description ${ddl.text},
        status ${ddl.text} not null check (status in ('active', 'ended')),
        standing ${ddl.int} not null check (standing in (0, 1)),
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null,
        ended_at ${ddl.text},
        ended_us ${ddl.int},
        end_reason ${ddl.text},
        parent_session_id ${ddl.text} references sessions (session_id),
        ledger_chain_id ${ddl.text} not null unique,
        trace_id ${ddl.text} not null,
        root_span_id ${ddl.text} not null,
        metadata ${ddl.text},
        subject ${ddl.text} not null,
        check ((status = 'ended') = (ended_us is not null)),
        check (standing = 0 or status = 'active'),
        check ((agent_id is null) = (goal is null))
      ) ${ddl.end}`,
      'create unique index sessions_standing on sessions (project_id, actor_id, actor_type) where standing = 1',
      'create index sessions_order on sessions (project_id, created_us, session_id)',
      `create index sessions_active_callsign on sessions (project_id, callsign) where status = 'active'`,
      'create index sessions_callsign on sessions (project_id, callsign, created_us)',
      `create table session_refs (
        project_id ${ddl.text} not null references projects (project_id),
        scheme ${ddl.text} not null,
        value ${ddl.text} not null,
        session_id ${ddl.text} not null references sessions (session_id),
        primary key (project_id, scheme, value)
      ) ${ddl.end}`,
      'create index session_refs_session on session_refs (session_id)',
    ],
  },
  {
    name: 'identity/0003-credentials',
    statements: (ddl) => [
      `create table actors (
        actor_id ${ddl.text} primary key,
        actor_type ${ddl.text} not null check (actor_type in ('human', 'agent', 'script')),
        display_name ${ddl.text},
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null
      ) ${ddl.end}`,
      `create table credentials (
        credential_id ${ddl.text} primary key,
        kind ${ddl.text} not null check (kind in ('owner', 'key', 'mtls')),
        label ${ddl.text},
        secret_hash ${ddl.text} not null,
        actor_id ${ddl.text} not null references actors (actor_id),
        scopes ${ddl.text} not null,
        projects ${ddl.text} not null,
        default_project ${ddl.text} not null references projects (project_id),
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null,
        created_by ${ddl.text} not null,
        expires_at ${ddl.text},
        expires_us ${ddl.int},
        revoked_at ${ddl.text},
        revoked_us ${ddl.int},
        last_used_us ${ddl.int}
      ) ${ddl.end}`,
      `create unique index credentials_owner on credentials (kind) where kind = 'owner' and revoked_us is null`,
      `create unique index credentials_certificate on credentials (secret_hash)
        where kind = 'mtls' and revoked_us is null`,
      'create index credentials_order on credentials (created_us, credential_id)',
      `create table passphrases (
        actor_id ${ddl.text} primary key references actors (actor_id),
        salt ${ddl.text} not null,
        hash ${ddl.text} not null,
        cost ${ddl.int} not null,
        set_us ${ddl.int} not null
      ) ${ddl.end}`,
      `create table logins (
        login_id ${ddl.text} primary key,
        kind ${ddl.text} not null check (kind in ('link', 'dashboard', 'login')),
        secret_hash ${ddl.text} not null unique,
        csrf_token ${ddl.text},
        source_credential ${ddl.text} not null,
        actor_id ${ddl.text} not null,
        actor_type ${ddl.text} not null check (actor_type in ('human', 'agent', 'script')),
        scopes ${ddl.text} not null,
        projects ${ddl.text} not null,
        default_project ${ddl.text} not null,
        created_us ${ddl.int} not null,
        seen_us ${ddl.int} not null,
        expires_us ${ddl.int} not null,
        present_until_us ${ddl.int} not null,
        ended_us ${ddl.int}
      ) ${ddl.end}`,
      'create index logins_source on logins (source_credential)',
      'create index logins_expiry on logins (expires_us)',
    ],
  },
  {
    name: 'identity/0004-rate-windows',
    statements: (ddl) => [
      `create table rate_windows (
        limit_key ${ddl.text} not null,
        window_us ${ddl.int} not null,
        start_us ${ddl.int} not null,
        used ${ddl.int} not null check (used >= 0),
        ends_us ${ddl.int} not null,
        primary key (limit_key, window_us, start_us)
      ) ${ddl.end}`,
      'create index rate_windows_end on rate_windows (ends_us)',
    ],
  },
  {
    name: 'identity/0005-speaks-for',
    statements: (ddl) => [
      `alter table credentials add column speaks_for ${ddl.text} not null default '[]'`,
      `alter table logins add column speaks_for ${ddl.text} not null default '[]'`,
      `update credentials set speaks_for = '["*"]' where kind = 'owner'`,
      `update logins set speaks_for = '["*"]' where source_credential like 'owner:%'`,
    ],
  },
  {
    name: 'identity/0006-bound-agents',
    statements: (ddl) => [
      // A session from before stays null, and keeps its agent until it ends.
      `alter table sessions add column bound_agent ${ddl.text}
        check (bound_agent is null or agent_id is not null)`,
    ],
  },
  {
    name: 'identity/0007-passkeys',
    statements: (ddl) => [
      `create table passkeys (
        passkey_id ${ddl.text} primary key,
        actor_id ${ddl.text} not null references actors (actor_id),
        rp_id ${ddl.text} not null,
        public_key ${ddl.text} not null,
        counter ${ddl.int} not null check (counter >= 0),
        transports ${ddl.text} not null,
        label ${ddl.text},
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null,
        last_used_us ${ddl.int}
      ) ${ddl.end}`,
      'create index passkeys_actor on passkeys (actor_id, created_us)',
      `create table passkey_challenges (
        login_id ${ddl.text} not null,
        purpose ${ddl.text} not null check (purpose in ('register', 'prove')),
        challenge ${ddl.text} not null unique,
        origin ${ddl.text} not null,
        expires_us ${ddl.int} not null,
        primary key (login_id, purpose)
      ) ${ddl.end}`,
      'create index passkey_challenges_expiry on passkey_challenges (expires_us)',
    ],
  },
  {
    name: 'identity/0008-oauth',
    statements: (ddl) => [
      `create table oauth_clients (
        client_id ${ddl.text} primary key,
        name ${ddl.text} not null,
        redirect_uris ${ddl.text} not null,
        created_at ${ddl.text} not null,
        created_us ${ddl.int} not null
      ) ${ddl.end}`,
      'create index oauth_clients_age on oauth_clients (created_us)',
      `create table oauth_requests (
        request_hash ${ddl.text} primary key,
        login_id ${ddl.text} not null,
        client_id ${ddl.text} not null,
        redirect_uri ${ddl.text} not null,
        state ${ddl.text},
        challenge ${ddl.text} not null,
        resource ${ddl.text} not null,
        scopes ${ddl.text} not null,
        expires_us ${ddl.int} not null
      ) ${ddl.end}`,
      `create table oauth_grants (
        grant_id ${ddl.text} primary key,
        client_id ${ddl.text} not null references oauth_clients (client_id),
        client_name ${ddl.text} not null,
        actor_id ${ddl.text} not null unique references actors (actor_id),
        scopes ${ddl.text} not null,
        project_id ${ddl.text} not null references projects (project_id),
        resource ${ddl.text} not null,
        granted_by ${ddl.text} not null,
        granted_at ${ddl.text} not null,
        granted_us ${ddl.int} not null,
        revoked_at ${ddl.text},
        revoked_reason ${ddl.text},
        check ((revoked_at is null) = (revoked_reason is null))
      ) ${ddl.end}`,
      'create index oauth_grants_client on oauth_grants (client_id)',
      `create table oauth_codes (
        code_hash ${ddl.text} primary key,
        grant_id ${ddl.text} not null unique references oauth_grants (grant_id),
        redirect_uri ${ddl.text} not null,
        challenge ${ddl.text} not null,
        expires_us ${ddl.int} not null,
        used_us ${ddl.int}
      ) ${ddl.end}`,
      `create table oauth_tokens (
        token_hash ${ddl.text} primary key,
        kind ${ddl.text} not null check (kind in ('access', 'refresh')),
        grant_id ${ddl.text} not null references oauth_grants (grant_id),
        expires_us ${ddl.int} not null,
        used_us ${ddl.int}
      ) ${ddl.end}`,
      'create index oauth_tokens_expiry on oauth_tokens (expires_us)',
    ],
  },
  {
    name: 'identity/0009-invitations',
    statements: (ddl) => [
      `create table invitations (
        invitation_id ${ddl.text} primary key,
        secret_hash ${ddl.text} not null unique,
        display_name ${ddl.text} not null,
        actor_id ${ddl.text} not null,
        actor_type ${ddl.text} not null check (actor_type = 'human'),
        scopes ${ddl.text} not null,
        projects ${ddl.text} not null,
        default_project ${ddl.text} not null references projects (project_id),
        speaks_for ${ddl.text} not null,
        invited_by ${ddl.text} not null references actors (actor_id),
        created_us ${ddl.int} not null,
        expires_us ${ddl.int} not null,
        state ${ddl.text} not null check (state in ('open', 'accepted', 'revoked')),
        ended_us ${ddl.int},
        check ((state = 'open') = (ended_us is null))
      ) ${ddl.end}`,
      `create unique index invitations_one_open on invitations (actor_id)
        where state = 'open'`,
      'create index invitations_order on invitations (created_us, invitation_id)',
      'create index credentials_actor on credentials (actor_id)',
    ],
  },
];
