import type { TableDeclarations } from '../storage/tables.ts';

export const identityTables: TableDeclarations = {
  projects: { proof: 'state', key: ['project_id'], project: 'project_id' },
  sessions: { proof: 'state', key: ['session_id'], project: 'project_id' },
  session_refs: { proof: 'state', key: ['project_id', 'scheme', 'value'], project: 'project_id' },
  actors: { proof: 'state', key: ['actor_id'] },
  credentials: { proof: 'state', key: ['credential_id'], volatile: ['last_used_us'] },
  passphrases: { proof: 'state', key: ['actor_id'] },
  passkeys: { proof: 'state', key: ['passkey_id'], volatile: ['last_used_us'] },
  passkey_challenges: { proof: 'ephemeral', because: 'Questions of the last minutes.' },
  logins: { proof: 'state', key: ['login_id'], volatile: ['seen_us'] },
  oauth_clients: { proof: 'state', key: ['client_id'] },
  oauth_grants: { proof: 'state', key: ['grant_id'], project: 'project_id' },
  oauth_codes: { proof: 'state', key: ['code_hash'] },
  oauth_tokens: { proof: 'state', key: ['token_hash'] },
  oauth_requests: { proof: 'ephemeral', because: 'Pages that a person has open and has not answered.' },
  invitations: { proof: 'state', key: ['invitation_id'] },
  rate_windows: { proof: 'ephemeral', because: 'Counts of the last minutes.' },
};
