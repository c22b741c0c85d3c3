import type { App } from '../../src/app/compose.ts';
import type { SqlValue } from '../../src/spine/storage/database.ts';

type Row = Readonly<Record<string, SqlValue>>;

interface Anchors {
  readonly actor: string;
  readonly project: string;
  readonly session: string;
  readonly approval: string;
  readonly item: string;
}

const AT = '2026-01-01T00:00:00.000000Z';
const US = 1_767_225_600_000_000;

/** What each table that the oldest store did not have holds, as its own room writes it. */
const rowsOf = ({
  actor,
  project,
  session,
  approval,
  item,
}: Anchors): Readonly<Record<string, Row | readonly Row[]>> => ({
  passkeys: {
    passkey_id: 'passkey-1',
    actor_id: actor,
    rp_id: 'localhost',
    public_key: 'AAAA',
    counter: 1,
    transports: '[]',
    label: 'This machine',
    created_at: AT,
    created_us: US,
    last_used_us: US,
  },
  oauth_clients: {
    client_id: 'client-1',
    name: 'A client',
    redirect_uris: '["http://localhost/"]',
    created_at: AT,
    created_us: US,
  },
  oauth_grants: {
    grant_id: 'grant-1',
    client_id: 'client-1',
    client_name: 'A client',
    actor_id: actor,
    scopes: '["packages:read"]',
    project_id: project,
    resource: 'http://localhost/mcp',
    granted_by: actor,
    granted_at: AT,
    granted_us: US,
    revoked_at: AT,
    revoked_reason: 'asked',
  },
  oauth_codes: {
    code_hash: 'c0de',
    grant_id: 'grant-1',
    redirect_uri: 'http://localhost/',
    challenge: 'challenge',
    expires_us: US,
    used_us: US,
  },
  oauth_tokens: { token_hash: '70ce', kind: 'access', grant_id: 'grant-1', expires_us: US, used_us: US },
  governance_calls: {
    call_id: 'call-1',
    project_id: project,
    session_id: session,
    execution_id: 'execution-1',
    decided_us: US,
    line: '{"parameters":{"amount":1}}',
  },
  governance_gateway_changes: {
    item_id: 'item-1',
    project_id: project,
    atlas_id: 'com.example.gateway',
    replaces: 'd0',
    manifest: '{}',
    digest: 'd1',
    shown: '[]',
    status: 'open',
    opened_us: US,
  },
  governance_grants: {
    approval_id: approval,
    project_id: project,
    atlas_id: 'com.example.rules',
    atlas_version: '1.0.0',
    atlas_digest: 'd2',
    policy_id: 'ask',
    agent_id: 'bot',
    bound_agent: 'bot',
    session_id: session,
    action_ids: '["mail.send"]',
    covers: 'call',
    single: 1,
    bound_hash: 'b0',
    may_differ: '[]',
    risk_tier: 'low',
    granted_by: 'ana',
    granted_at: AT,
    granted_us: US,
    expires_us: US,
    agreed_by: '["ben"]',
    revoked_by: 'ana',
    revoked_at: AT,
  },
  governance_grant_uses: {
    used_by: 'execution-1',
    atlas_id: 'com.example.rules',
    policy_id: 'ask',
    approval_id: approval,
    single: 1,
    used_us: US,
  },
  // Nobody has both deferred an item and handed it over.
  inbox_asides: [
    { item_id: item, actor_id: 'ana', until_us: US, until_at: AT, set_at: AT },
    { item_id: item, actor_id: 'ben', handed_to: 'ana', set_at: AT },
  ],
  inbox_votes: { item_id: item, actor_id: 'ben', choice: 'call', credential: 'login', voted_at: AT },
  memory_erasures: {
    erasure_id: 'erasure-1',
    project_id: project,
    profile_did: 'did:a2p:user:local:ana',
    owner_actor: 'ana',
    what: 'memory',
    target: 'mem_1',
    requested_by: 'ana',
    requested_at: AT,
    requested_us: US,
    state: 'done',
    memories: 1,
    proposals: 0,
    unmerged: 0,
    removed_at: AT,
    finished_at: AT,
    remains: '[]',
  },
  relay_prices: {
    project_id: project,
    model: 'a-model',
    from_us: US,
    input_per_million: 1.5,
    output_per_million: 2.5,
    cache_read_per_million: 0.5,
    cache_write_per_million: 0.25,
    set_by: 'ana',
  },
  relay_annotations: {
    annotation_id: 'annotation-1',
    project_id: project,
    trace_id: 'ab'.repeat(16),
    span_id: 'cd'.repeat(8),
    name: 'quality',
    label: 'good',
    score: 0.5,
    note: 'Answers the question',
    made_by: 'ana',
    created_us: US,
  },
  relay_peer_credentials: {
    project_id: project,
    peer_id: 'peer-1',
    type: 'bearer',
    sealed: 'AAAA',
    set_us: US,
    set_by: 'ana',
  },
  relay_cards: {
    project_id: project,
    peer_id: 'peer-1',
    number: 1,
    digest: 'd3',
    card: '{"name":"Writer"}',
    state: 'waiting',
    item_id: item,
    seen_us: US,
  },
  invitations: {
    invitation_id: 'inv_1',
    secret_hash: '5ec2e7',
    display_name: 'Maya',
    actor_id: 'maya',
    actor_type: 'human',
    scopes: '["packages:read"]',
    projects: '["default"]',
    default_project: project,
    speaks_for: '[]',
    invited_by: actor,
    created_us: US,
    expires_us: US,
    state: 'accepted',
    ended_us: US,
  },
  notification_channels: {
    channel_id: 'chn_1',
    actor_id: actor,
    kind: 'slack',
    label: 'Team',
    shown: 'hooks.example.com',
    sealed: 'AAAA',
    salt: '5a17',
    rules: '[]',
    content: 'kind',
    quiet: 'null',
    zone: 'UTC',
    digest_at: '08:00',
    paused: 0,
    created_at: AT,
    created_us: US,
  },
  notification_mail: {
    account_id: 'mail',
    host: 'smtp.example.com',
    port: 587,
    security: 'starttls',
    sender: 'baton@example.com',
    sealed: 'AAAA',
    set_by: 'owner',
    set_at: AT,
  },
  agent_decisions: {
    decision_id: 'decision-1',
    project_id: project,
    session_id: session,
    call_key: 'call-1',
    at: AT,
    at_us: US,
    tool: 'Bash',
    action_id: 'shell.run',
    effect: 'deny',
    verdict: 'deny',
    policy_id: 'no-push',
    atlas_id: 'com.example.rules',
    atlas_version: '1.0.0',
    reason: 'Nobody pushes',
    shown: 'git push',
    asked_in: 'inbox',
    ran: 0,
  },
});

const NOBODY = { actor: '', project: '', session: '', approval: '', item: '' };
export const NEWER: readonly string[] = Object.keys(rowsOf(NOBODY));

/** Through the store's own unit of work, so that they are recorded as any other row is. */
export async function insertNewerRows({ db }: App): Promise<void> {
  await db.write(async (uow) => {
    const first = async (sql: string) => String((await uow.get<{ id: string }>(sql))?.id);
    const rows = rowsOf({
      actor: await first('select min(actor_id) as id from actors'),
      project: await first('select min(project_id) as id from projects'),
      session: await first('select min(session_id) as id from sessions'),
      approval: await first('select min(approval_id) as id from governance_approvals'),
      item: await first('select min(item_id) as id from inbox_items'),
    });
    for (const [table, given] of Object.entries(rows)) {
      for (const row of [given].flat() as Row[]) {
        const columns = Object.keys(row);
        await uow.run(
          `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
          Object.values(row),
        );
      }
    }
  });
}
