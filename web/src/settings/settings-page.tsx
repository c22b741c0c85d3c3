import { maySee, useMe } from '../api/session.ts';
import { MailCard } from '../notifications/mail-card.tsx';
import { NotificationsCard } from '../notifications/notifications-card.tsx';
import { InvitationsCard } from '../people/invitations-card.tsx';
import { PasskeysCard } from '../presence/passkeys-card.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { PassphraseCard } from './passphrase-card.tsx';
import { YouCard } from './you-card.tsx';

export function SettingsPage() {
  const me = useMe();
  return (
    <>
      <PageHeader
        title="Settings"
        lead="Who you are here, how you are told what waits, and which keys agents work with."
      />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex flex-col gap-4">
          <YouCard />
          {me.actor_type === 'human' && <NotificationsCard />}
          {me.owner && <InvitationsCard />}
          {maySee(me, 'keys:manage') && <KeysCard />}
        </div>
        <div className="flex flex-col gap-4">
          <AppearanceCard />
          {me.actor_type === 'human' && <PassphraseCard />}
          {me.actor_type === 'human' && me.credential.kind === 'dashboard' && <PasskeysCard />}
          {maySee(me, 'admin') && <MailCard />}
        </div>
      </div>
    </>
  );
}
