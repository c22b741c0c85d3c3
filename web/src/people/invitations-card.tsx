import type { Operations, Result } from '@baton-ledger/client';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { InviteModal } from './invite-modal.tsx';

type Invitation = Result<Operations['invitations.list']>['invitations'][number];

const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: ({ signal }) => client.call('invitations.list', {}, { signal }),
});

/** People who were invited, and the link to invite another one. */
export function InvitationsCard() {
  const { data, error, refetch } = useQuery(invitationsQuery);
  const [inviting, setInviting] = useState(false);
  const invitations = data?.invitations ?? [];
  return (
    <Card
      flush
      title="People"
      aside={
        <Button icon="person" onClick={() => setInviting(true)}>
          Invite a person
        </Button>
      }
    >
      {error ? (
        <div className="p-4">
          <ErrorNote error={error} onRetry={() => void refetch()} />
        </div>
      ) : invitations.length === 0 ? (
        <p className="px-4 pt-1 pb-4 text-small text-soft">
          Invite somebody to a project by a link that works once. They get a key and a name of their own, so
          that the journal shows who decided what.
        </p>
      ) : (
        <ul aria-label="Invitations" className="mt-2 divide-y divide-line border-line border-t">
          {invitations.map((each) => (
            <Row key={each.invitation_id} invitation={each} />
          ))}
        </ul>
      )}
      {inviting && <InviteModal onClose={() => setInviting(false)} />}
    </Card>
  );
}

const STATES: Readonly<Record<Invitation['state'], readonly [Tone, string]>> = {
  open: ['info', 'Waits'],
  accepted: ['good', 'Joined'],
  revoked: ['neutral', 'Revoked'],
  expired: ['neutral', 'Expired'],
};

function Row({ invitation }: { invitation: Invitation }) {
  const queries = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => client.call('invitations.revoke', { invitation_id: invitation.invitation_id }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  });
  const [tone, word] = STATES[invitation.state];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <span className="min-w-0 flex-1 basis-48">
        <ActorName id={invitation.actor_id} type="human" />
        <span className="block truncate text-faint text-small">
          {invitation.projects[0] === '*' ? 'all projects' : invitation.projects.join(', ')} · invited{' '}
          <TimeAgo at={invitation.created_at} />
        </span>
      </span>
      <Badge tone={tone}>{word}</Badge>
      {invitation.state === 'open' && (
        <Button
          tone="quiet"
          busy={revoking.isPending}
          onClick={() => revoking.mutate()}
          aria-label={`Revoke the invitation of ${invitation.actor_id}`}
        >
          Revoke
        </Button>
      )}
      {revoking.error && <ErrorNote error={revoking.error} />}
    </li>
  );
}
