import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useListPlace } from '../list-place.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { didName } from '../ui/id-words.ts';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { ConsentModal } from './consent-modal.tsx';
import {
  type ConsentPolicy,
  memoryCountsQuery,
  policiesQuery,
  type Receipt,
  receiptsQuery,
} from './queries.ts';
import { TakeBackModal, type Taken } from './take-back-modal.tsx';
import { usesWords } from './uses-words.ts';
import type { MemoryViewProps } from './view-props.ts';

/** Who may read and propose what, and who has. */
export function ConsentView({ profile }: MemoryViewProps) {
  const policies = useQuery(policiesQuery(profile));
  const place = useListPlace('access');
  const receipts = useQuery(receiptsQuery(profile, place.at));
  const total = useQuery(memoryCountsQuery(profile)).data?.receipts;
  const [taken, setTaken] = useState<Taken>();
  const [giving, setGiving] = useState<ConsentPolicy | 'new'>();
  return (
    <div className="flex flex-col gap-4">
      <Card
        flush
        title="Policies"
        aside={
          <Button icon="plus" onClick={() => setGiving('new')}>
            Give consent
          </Button>
        }
      >
        <QueryView query={policies} rows={2} rowClassName="h-16">
          {(list) =>
            list.length === 0 ? (
              <EmptyState icon="lock" title="Nobody may read or propose">
                A policy says which agents may do what with which categories.
              </EmptyState>
            ) : (
              <ul aria-label="Policies" className="mt-1 divide-y divide-line border-line border-t">
                {list.map((policy) => (
                  <PolicyRow
                    key={policy.id}
                    policy={policy}
                    onChange={() => setGiving(policy)}
                    onTakeBack={() =>
                      setTaken({ kind: 'policy', id: policy.id, name: policy.name ?? policy.id })
                    }
                  />
                ))}
              </ul>
            )
          }
        </QueryView>
      </Card>
      <Card flush title="Access given">
        <QueryView query={receipts} rows={2}>
          {(list) =>
            list.length === 0 && place.at === 0 ? (
              <p className="px-4 pb-4 text-soft">No agent has asked for access yet.</p>
            ) : (
              <>
                <ul aria-label="Access given" className="mt-1 divide-y divide-line border-line border-t">
                  {list.map((receipt) => (
                    <ReceiptRow
                      key={receipt.receiptId}
                      receipt={receipt}
                      onTakeBack={() =>
                        setTaken({ kind: 'access', id: receipt.agentDid, name: didName(receipt.agentDid) })
                      }
                    />
                  ))}
                </ul>
                <Pager
                  label="access"
                  at={place.at}
                  shown={list.length}
                  total={total}
                  first="Newest"
                  next="Older"
                  busy={receipts.isPlaceholderData}
                  onFirst={place.first}
                  onNext={
                    total !== undefined && place.at + list.length < total
                      ? () => place.next('', list.length)
                      : undefined
                  }
                />
              </>
            )
          }
        </QueryView>
      </Card>
      {giving && (
        <ConsentModal
          profile={profile}
          {...(giving !== 'new' && { policy: giving })}
          onClose={() => setGiving(undefined)}
        />
      )}
      {taken && <TakeBackModal profile={profile} taken={taken} onClose={() => setTaken(undefined)} />}
    </div>
  );
}

/** A policy that names nobody lets nobody in. */
function agentsOf({ agentPattern, agentDids }: ConsentPolicy): string {
  return [...(agentPattern ? [agentPattern] : []), ...agentDids].join(', ') || 'names no agent';
}

const ROW = 'flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3';

interface PolicyRowProps {
  readonly policy: ConsentPolicy;
  readonly onChange: () => void;
  readonly onTakeBack: () => void;
}

function PolicyRow({ policy, onChange, onTakeBack }: PolicyRowProps) {
  const name = policy.name ?? policy.id;
  return (
    <li className={ROW}>
      <span className="min-w-0 flex-1 basis-56">
        <span className="block font-medium">{policy.name ?? policy.id}</span>
        <code className="block break-all font-mono text-faint text-small">{agentsOf(policy)}</code>
      </span>
      <span className="flex min-w-0 flex-1 basis-64 flex-wrap gap-1.5">
        {policy.permissions.map((each) => (
          <Badge key={each} tone="info">
            {each.replaceAll('_', ' ')}
          </Badge>
        ))}
        {policy.allow.map((each) => (
          <Badge key={each} tone="good" icon="check">
            {each}
          </Badge>
        ))}
        {policy.deny.map((each) => (
          <Badge key={each} tone="bad" icon="cross">
            {each}
          </Badge>
        ))}
      </span>
      <span className="flex gap-1">
        {/* A list of single agents has no form yet: it stays as it was written. */}
        {policy.agentDids.length === 0 && (
          <Button tone="quiet" onClick={onChange} aria-label={`Change ${name}`}>
            Change
          </Button>
        )}
        <Button tone="quiet" onClick={onTakeBack} aria-label={`Take back ${name}`}>
          Take back
        </Button>
      </span>
    </li>
  );
}

function ReceiptRow({ receipt, onTakeBack }: { receipt: Receipt; onTakeBack: () => void }) {
  const last = receipt.accessLog.at(-1);
  return (
    <li className={ROW}>
      <span className="min-w-0 flex-1 basis-56">
        <span className="block font-medium" title={receipt.agentDid}>
          {didName(receipt.agentDid)}
        </span>
        <span className="block text-faint text-small">
          {usesWords(receipt.accessLog)}
          {last && (
            <>
              , last <TimeAgo at={last.timestamp} />
            </>
          )}
        </span>
      </span>
      <span className="flex min-w-0 flex-1 basis-64 flex-wrap gap-1.5">
        {receipt.permissions.map((permission) => (
          <Badge key={permission} tone="info">
            {permission.replaceAll('_', ' ')}
          </Badge>
        ))}
        {receipt.grantedScopes.map((scope) => (
          <Badge key={scope}>{scope}</Badge>
        ))}
      </span>
      {receipt.revokedAt ? (
        <Badge tone="bad">Revoked</Badge>
      ) : (
        <Button
          tone="quiet"
          onClick={onTakeBack}
          aria-label={`Revoke the access of ${didName(receipt.agentDid)}`}
        >
          Revoke
        </Button>
      )}
    </li>
  );
}
