import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { maySee, useMe } from '../api/session.ts';
import { ItemValues } from '../inbox/item-title.tsx';
import type { InboxItem } from '../inbox/queries.ts';
import { RiskBadge } from '../inbox/risk-badge.tsx';
import { counted } from '../numbers.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Modal } from '../ui/modal.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { WhyLink } from '../ui/why-link.tsx';
import { type Grant, grantedValuesQuery, grantsQuery } from './queries.ts';
import type { PolicyViewProps } from './view-props.ts';

/** What people have approved and can still be used: for one call, a session, or until somebody takes it back. */
export function GrantsView({ project }: PolicyViewProps) {
  const me = useMe();
  const query = useQuery(grantsQuery(project));
  const { data: items } = useQuery({
    ...grantedValuesQuery(project),
    enabled: maySee(me, 'inbox:read'),
  });
  const [revoked, setRevoked] = useState<Grant>();
  return (
    <Card flush title="Approvals that still hold">
      <QueryView query={query} rows={4}>
        {({ items: grants, total }) =>
          grants.length === 0 ? (
            <EmptyState icon="check" title="No approval waits to be used">
              What a person approves in the inbox stands here until it is used, expires or is taken back.
            </EmptyState>
          ) : (
            <>
              <ul
                aria-label="Approvals that still hold"
                className="mt-1 divide-y divide-line border-line border-t"
              >
                {grants.map((grant) => (
                  <GrantRow
                    key={grant.approval_id}
                    grant={grant}
                    item={items?.get(grant.approval_id)}
                    {...(maySee(me, 'approvals:decide') && { onRevoke: () => setRevoked(grant) })}
                  />
                ))}
              </ul>
              {total > grants.length && (
                <p className="border-line border-t px-4 py-2.5 text-faint text-small">
                  The newest {grants.length} of {total}. All of them: <code>baton approvals grants</code>
                </p>
              )}
            </>
          )
        }
      </QueryView>
      {revoked && <RevokeModal grant={revoked} onClose={() => setRevoked(undefined)} />}
    </Card>
  );
}

interface GrantRowProps {
  readonly grant: Grant;
  readonly item: InboxItem | undefined;
  readonly onRevoke?: () => void;
}

function GrantRow({ grant, item, onRevoke }: GrantRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <span className="min-w-0 flex-1 basis-72">
        <span className="block">
          <strong className="font-medium">{grant.agent_id}</strong> may run{' '}
          <code className="font-mono text-small">{grant.action_ids.join(', ')}</code>{' '}
          {item && grant.covers === 'call' && <ItemValues item={item} most={3} />}
        </span>
        <span className="block text-small text-soft">{grant.allows}</span>
        <span className="block text-faint text-small">
          by {[...grant.agreed_by, grant.granted_by].join(' and ')} <TimeAgo at={grant.granted_at} />, rule{' '}
          <code className="font-mono">{grant.policy_id}</code>
          {grant.expires_at && (
            <>
              , until <TimeAgo at={grant.expires_at} />
            </>
          )}
          {grant.uses > 0 && `, used ${counted(grant.uses, 'time')}`}
        </span>
      </span>
      <RiskBadge risk={grant.risk_tier} />
      <WhyLink id={grant.approval_id} kind="item" />
      {onRevoke && (
        <Button tone="quiet" onClick={onRevoke} aria-label={`Take back what ${grant.agent_id} may run`}>
          Take back
        </Button>
      )}
    </li>
  );
}

function RevokeModal({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const queries = useQueryClient();
  const revoking = useMutation({
    // Its body is an empty object, which the flat types have no words for.
    mutationFn: () => client.call('approvals.revoke', { approval_id: grant.approval_id } as never),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['policies'] });
      onClose();
    },
  });
  return (
    <Modal
      open
      onClose={onClose}
      title="Take this approval back?"
      description={`${grant.agent_id} has to ask again from the next call on. What it has run already, it has run.`}
    >
      {revoking.error && <ErrorNote error={revoking.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Leave it</Button>
        <Button tone="bad" busy={revoking.isPending} onClick={() => revoking.mutate()}>
          Take back
        </Button>
      </div>
    </Modal>
  );
}
