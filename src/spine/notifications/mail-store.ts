import type { Reader, UnitOfWork } from '../storage/database.ts';

export type MailSecurity = 'tls' | 'starttls' | 'none';

/** The mail server that the store's e-mails go out through. */
export interface MailAccount {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** The address that messages come from. */
  readonly sender: string;
  /** `MailSecrets`; see `vault.ts`. */
  readonly sealed: string;
  readonly setBy: string;
  readonly setAt: string;
}

interface MailRow {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  readonly sender: string;
  readonly sealed: string;
  readonly set_by: string;
  readonly set_at: string;
}

export async function selectMail(reader: Reader): Promise<MailAccount | undefined> {
  const row = await reader.get<MailRow>(
    "select host, port, security, sender, sealed, set_by, set_at from notification_mail where account_id = 'mail'",
  );
  return row && { ...row, setBy: row.set_by, setAt: row.set_at };
}

export async function putMail(uow: UnitOfWork, account: MailAccount): Promise<void> {
  await uow.run(
    `insert into notification_mail (account_id, host, port, security, sender, sealed, set_by, set_at)
     values ('mail', ?, ?, ?, ?, ?, ?, ?)
     on conflict (account_id) do update set host = excluded.host, port = excluded.port, security = excluded.security,
       sender = excluded.sender, sealed = excluded.sealed, set_by = excluded.set_by, set_at = excluded.set_at`,
    [
      account.host,
      account.port,
      account.security,
      account.sender,
      account.sealed,
      account.setBy,
      account.setAt,
    ],
  );
}

export async function deleteMail(uow: UnitOfWork): Promise<boolean> {
  return (await uow.run("delete from notification_mail where account_id = 'mail'")) === 1;
}
