import { formatMicros } from '../../kernel/instant.ts';
import { isOwner } from '../identity/access.ts';
import { identityErrors } from '../identity/errors.ts';
import type { Principal } from '../identity/principal.ts';
import { guardedHost } from '../outbound/address-guard.ts';
import type { Database } from '../storage/database.ts';
import { isMailbox } from './addresses.ts';
import type { ChannelDeps } from './channels.ts';
import { notificationErrors } from './errors.ts';
import { type MailAccount, type MailSecurity, putMail } from './mail-store.ts';

export interface GivenMail {
  readonly host: string;
  readonly port?: number | undefined;
  readonly security?: MailSecurity | undefined;
  readonly from: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly ca?: string | undefined;
}

/** Whoever has the mail server has what everybody is told, so that no scope of one project reaches it. */
export function requireMailOwner(by: Principal): void {
  if (!isOwner(by)) throw identityErrors.forbidden({ message: 'Only the owner sets the mail server.' });
}

/** Looks the host up first, so that one at a refused address is refused now and not with the first message. */
export async function setMail(
  db: Database,
  deps: ChannelDeps,
  by: Principal,
  given: GivenMail,
): Promise<MailAccount> {
  requireMailOwner(by);
  const { security = 'starttls', host, from, user, password } = given;
  const port = given.port ?? (security === 'tls' ? 465 : 587);
  if (!isMailbox(from)) throw invalid('This is no e-mail address.', '/from');
  if ((user === undefined) !== (password === undefined))
    throw invalid('A user and a password go together.', '/password');
  if (security === 'none' && password !== undefined)
    throw invalid('A password is not sent without encryption.', '/security');
  await guardedHost(host, port, deps.reach).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
      throw invalid('There is no such host.', '/host');
    throw error;
  });
  const login = user !== undefined && password !== undefined ? { user, password } : null;
  const account: MailAccount = {
    host,
    port,
    security,
    sender: from,
    sealed: deps.vault.sealMail({ login, ca: given.ca ?? null }),
    setBy: by.actor.id,
    setAt: formatMicros(deps.clock.now()),
  };
  await db.write(async (uow) => {
    await putMail(uow, account);
    await deps.record(uow, {
      projectId: by.defaultProject,
      actor: by.actor,
      type: 'notification.mail_set',
      payload: { host, port, security },
    });
  });
  return account;
}

function invalid(message: string, pointer: string): Error {
  return notificationErrors.channel_invalid({ message, pointer });
}
