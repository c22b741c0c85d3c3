import type { Micros } from '../../../kernel/clock.ts';
import type { Reader, SqlValue, UnitOfWork } from '../../storage/database.ts';
import { type Grant, type GrantColumns, grantColumns, grantOf } from '../credentials/grant.ts';

export type InvitationState = 'open' | 'accepted' | 'revoked';

export interface Invitation extends Grant {
  readonly invitationId: string;
  readonly secretHash: string;
  readonly displayName: string;
  readonly invitedBy: string;
  readonly createdMicros: Micros;
  readonly expiresMicros: Micros;
  readonly state: InvitationState;
  readonly endedMicros: Micros | null;
}

interface InvitationRow extends GrantColumns {
  readonly invitation_id: string;
  readonly secret_hash: string;
  readonly display_name: string;
  readonly invited_by: string;
  readonly created_us: number;
  readonly expires_us: number;
  readonly state: InvitationState;
  readonly ended_us: number | null;
}

const SELECT = `select invitation_id, secret_hash, display_name, actor_id, actor_type, scopes, projects, default_project,
  speaks_for, invited_by, created_us, expires_us, state, ended_us from invitations`;

const invitationOf = (row: InvitationRow): Invitation => ({
  ...grantOf(row),
  invitationId: row.invitation_id,
  secretHash: row.secret_hash,
  displayName: row.display_name,
  invitedBy: row.invited_by,
  createdMicros: row.created_us,
  expiresMicros: row.expires_us,
  state: row.state,
  endedMicros: row.ended_us,
});

/** False while another one for the same person is open. */
export async function insertInvitation(uow: UnitOfWork, invitation: Invitation): Promise<boolean> {
  const values: Record<string, SqlValue> = {
    invitation_id: invitation.invitationId,
    secret_hash: invitation.secretHash,
    display_name: invitation.displayName,
    ...grantColumns(invitation),
    invited_by: invitation.invitedBy,
    created_us: invitation.createdMicros,
    expires_us: invitation.expiresMicros,
    state: invitation.state,
  };
  const columns = Object.keys(values);
  const inserted = await uow.run(
    `insert into invitations (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})
     on conflict do nothing`,
    Object.values(values),
  );
  return inserted === 1;
}

export async function selectInvitationBySecret(
  reader: Reader,
  secretHash: string,
): Promise<Invitation | undefined> {
  const row = await reader.get<InvitationRow>(`${SELECT} where secret_hash = ?`, [secretHash]);
  return row && invitationOf(row);
}

export async function selectInvitation(
  reader: Reader,
  invitationId: string,
): Promise<Invitation | undefined> {
  const row = await reader.get<InvitationRow>(`${SELECT} where invitation_id = ?`, [invitationId]);
  return row && invitationOf(row);
}

/** Newest first. */
export async function selectInvitations(reader: Reader, limit: number): Promise<Invitation[]> {
  const rows = await reader.all<InvitationRow>(
    `${SELECT} order by created_us desc, invitation_id desc limit ?`,
    [limit],
  );
  return rows.map(invitationOf);
}

/** False if it was used, revoked or has expired: of two who use a link at once, one succeeds. */
export async function markAccepted(uow: UnitOfWork, invitationId: string, now: Micros): Promise<boolean> {
  const changed = await uow.run(
    `update invitations set state = 'accepted', ended_us = ?
     where invitation_id = ? and state = 'open' and expires_us > ?`,
    [now, invitationId, now],
  );
  return changed === 1;
}

/** False if it was used or revoked before. */
export async function markInvitationRevoked(
  uow: UnitOfWork,
  invitationId: string,
  now: Micros,
): Promise<boolean> {
  const changed = await uow.run(
    "update invitations set state = 'revoked', ended_us = ? where invitation_id = ? and state = 'open'",
    [now, invitationId],
  );
  return changed === 1;
}

/** Makes room for a new one. */
export async function revokeExpired(uow: UnitOfWork, actorId: string, now: Micros): Promise<void> {
  await uow.run(
    `update invitations set state = 'revoked', ended_us = ?
     where actor_id = ? and state = 'open' and expires_us <= ?`,
    [now, actorId, now],
  );
}
