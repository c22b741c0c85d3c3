import type { Clock } from '../../../kernel/clock.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { requireVoice } from '../../../spine/identity/voice.ts';
import type { Reader, UnitOfWork } from '../../../spine/storage/database.ts';
import { relayErrors } from '../errors.ts';
import type { NewLease } from '../schema.ts';
import { lockChannel, openChannel } from './channels.ts';
import { DEAD_AFTER_SECONDS } from './rules.ts';
import { type LeaseRow, saveLease, selectLease, selectStatuses } from './store.ts';

/** The lease that guards the state. */
const HANDOFF = 'handoff';
const LEASE_SECONDS = 60;

/** Takes a lease that is free or whose holder is dead, or renews one's own. */
export async function takeLease(
  uow: UnitOfWork,
  clock: Clock,
  principal: Principal,
  id: string,
  { holder, name = HANDOFF, ttl_seconds = LEASE_SECONDS, fencing_token }: NewLease,
) {
  requireVoice(principal, holder, '/holder');
  const channel = await openChannel(uow, principal, id);
  const now = clock.now();
  const lease = await selectLease(uow, channel.id, name);
  const held = lease !== undefined && lease.expires_us > now;
  if (
    fencing_token !== undefined &&
    !(held && lease.fencing_token === fencing_token && lease.holder === holder)
  )
    throw relayErrors.lease_lost();
  if (fencing_token === undefined && held && !(await isDead(uow, channel.id, lease.holder, now)))
    throw heldBy(lease);
  const token = fencing_token ?? (lease?.fencing_token ?? 0) + 1;
  const expires = now + ttl_seconds * 1e6;
  await saveLease(uow, channel.id, { name, holder, fencing_token: token, expires_us: expires });
  return { name, holder, fencing_token: token, expires_at: formatMicros(expires) };
}

export async function releaseLease(
  uow: UnitOfWork,
  principal: Principal,
  id: string,
  { name = HANDOFF, fencing_token }: { readonly name?: string | undefined; readonly fencing_token: number },
): Promise<void> {
  const channel = await lockChannel(uow, principal, id);
  const lease = await selectLease(uow, channel.id, name);
  if (!lease || lease.fencing_token !== fencing_token) throw relayErrors.lease_lost();
  // The token is a number that anybody can guess: it orders holders, it does not prove one.
  requireVoice(principal, lease.holder, '/fencing_token');
  // The number stays, so that the next token is a higher one.
  await saveLease(uow, channel.id, { ...lease, expires_us: 0 });
}

/** Throws unless `token` is that of the caller's present lease, or there is neither a token nor a lease. */
export async function requireFence(
  uow: UnitOfWork,
  clock: Clock,
  principal: Principal,
  channelId: string,
  token: number | undefined,
): Promise<void> {
  const lease = await selectLease(uow, channelId, HANDOFF);
  const held = lease !== undefined && lease.expires_us > clock.now();
  if (token !== undefined && (!held || lease.fencing_token !== token)) throw relayErrors.lease_lost();
  if (!held) return;
  if (token === undefined) throw heldBy(lease);
  requireVoice(principal, lease.holder, '/fencing_token');
}

function heldBy({ holder, expires_us }: LeaseRow): Error {
  return relayErrors.lease_held({ details: { holder, expires_at: formatMicros(expires_us) } });
}

/** Whoever reported a status and then fell silent for five times the cadence. */
async function isDead(reader: Reader, channelId: string, agent: string, now: number): Promise<boolean> {
  const status = (await selectStatuses(reader, channelId)).find(({ author }) => author === agent);
  return status !== undefined && now - status.created_us > DEAD_AFTER_SECONDS * 1e6;
}
