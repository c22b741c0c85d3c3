import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { counted } from '../numbers.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { ChannelModal } from './channel-modal.tsx';
import { type Channel, channelsQuery } from './queries.ts';

/** How one is told what waits. */
export function NotificationsCard() {
  const list = useQuery(channelsQuery);
  const [adding, setAdding] = useState(false);
  const [changing, setChanging] = useState<Channel>();
  const mail = list.data?.mail ?? false;
  return (
    <Card
      flush
      title="Notifications"
      aside={
        <Button icon="plus" onClick={() => setAdding(true)}>
          Add a channel
        </Button>
      }
    >
      {list.isPending ? (
        <SkeletonRows rows={2} className="h-16" />
      ) : list.error ? (
        <div className="p-4">
          <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : list.data.channels.length === 0 ? (
        <p className="px-4 pt-1 pb-4 text-small text-soft">
          Nobody tells you yet what waits for you. Add this browser, e-mail, Slack, a webhook or ntfy:
          messages say no more than you choose, and keep quiet when you do.
        </p>
      ) : (
        <ul aria-label="Notification channels" className="mt-2 divide-y divide-line border-line border-t">
          {list.data.channels.map((channel) => (
            <ChannelRow key={channel.channel_id} channel={channel} onChange={() => setChanging(channel)} />
          ))}
        </ul>
      )}
      {adding && <ChannelModal mail={mail} onClose={() => setAdding(false)} />}
      {changing && <ChannelModal channel={changing} mail={mail} onClose={() => setChanging(undefined)} />}
    </Card>
  );
}

const KIND_NAMES: Readonly<Record<Channel['kind'], string>> = {
  browser: 'Browser',
  email: 'E-mail',
  slack: 'Slack',
  webhook: 'Webhook',
  ntfy: 'ntfy',
};

function ChannelRow({ channel, onChange }: { channel: Channel; onChange: () => void }) {
  const queries = useQueryClient();
  const { channel_id, label, paused } = channel;
  const reread = () => queries.invalidateQueries({ queryKey: ['notifications'] });
  const acting = useMutation({
    mutationFn: async (act: 'test' | 'pause' | 'remove'): Promise<unknown> => {
      if (act === 'test') return client.call('notifications.test', { channel_id });
      if (act === 'remove') return client.call('notifications.remove', { channel_id });
      return client.call('notifications.change', { channel_id, paused: !paused });
    },
    onSettled: reread,
  });
  const busy = (act: string) => acting.isPending && acting.variables === act;
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-48">
          <span className="block truncate font-medium">{label}</span>
          <span className="block truncate text-faint text-small">
            {KIND_NAMES[channel.kind]}
            {label === channel.shown ? '' : ` · ${channel.shown}`}
          </span>
        </span>
        <State channel={channel} />
      </div>
      <div className="-ml-3 flex flex-wrap">
        {channel.kind !== 'browser' && (
          <Button
            tone="quiet"
            busy={busy('test')}
            onClick={() => acting.mutate('test')}
            aria-label={`Test ${label}`}
          >
            Test
          </Button>
        )}
        <Button tone="quiet" onClick={onChange} aria-label={`Change ${label}`}>
          Change
        </Button>
        <Button
          tone="quiet"
          busy={busy('pause')}
          onClick={() => acting.mutate('pause')}
          aria-label={`${paused ? 'Resume' : 'Pause'} ${label}`}
        >
          {paused ? 'Resume' : 'Pause'}
        </Button>
        <Button
          tone="quiet"
          busy={busy('remove')}
          onClick={() => acting.mutate('remove')}
          aria-label={`Remove ${label}`}
        >
          Remove
        </Button>
      </div>
      <div aria-live="polite" className="empty:hidden">
        {acting.error && <ErrorNote error={acting.error} />}
        {acting.isSuccess && acting.variables === 'test' && (
          <p className="font-medium text-good text-small">The test message was taken.</p>
        )}
      </div>
    </li>
  );
}

const ERROR_WORDS: Readonly<Record<string, string>> = {
  outcome_unknown: 'One message may not have arrived',
  mail_not_set: 'No mail server is set',
  notification_refused: 'The other side refused it',
  address_refused: 'The address is private',
};

function State({ channel: { paused, waiting, last_sent_at, last_error } }: { channel: Channel }) {
  const failing = last_error !== null && (last_sent_at === null || last_error.at > last_sent_at);
  return (
    <span className="flex flex-wrap items-center gap-2 text-faint text-small">
      {waiting > 0 && <span>{counted(waiting, 'thing')} to tell</span>}
      {last_sent_at && (
        <span>
          sent <TimeAgo at={last_sent_at} />
        </span>
      )}
      {paused ? (
        <Badge>Paused</Badge>
      ) : failing ? (
        <Badge tone="bad" icon="warning">
          {ERROR_WORDS[last_error.code] ?? `Failed (${last_error.code})`}
        </Badge>
      ) : (
        <Badge tone="good">On</Badge>
      )}
    </span>
  );
}
