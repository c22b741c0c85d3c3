import type { Operations, Result } from '@baton-ledger/client';
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { firstPage, useListPlace } from '../list-place.ts';
import { counted } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Pager } from '../ui/pager.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { NewKeyModal } from './new-key-modal.tsx';
import { RevokeKeyModal } from './revoke-key-modal.tsx';

export type Key = Result<Operations['keys.list']>['keys'][number];

const LISTED = 50;

const keysQuery = (words: string, after: string | undefined) =>
  queryOptions({
    queryKey: ['keys', 'list', words, after],
    queryFn: ({ signal }) =>
      client.call(
        'keys.list',
        { limit: LISTED, ...(words && { words }), ...(after !== undefined && { after }) },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export function KeysCard() {
  const [params, change] = useParams();
  const place = useListPlace('keys');
  const words = params.keys_words ?? '';
  const list = useQuery(keysQuery(words, place.cursor));
  const queries = useQueryClient();
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<Key>();
  const revoke = useMutation({
    mutationFn: (key: Key) => client.call('keys.revoke', { key_id: key.key_id }),
    onSuccess: () => {
      setEnding(undefined);
      void queries.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <Card
      flush
      title="Keys"
      aside={
        <Button icon="key" onClick={() => setMaking(true)}>
          New key
        </Button>
      }
    >
      {list.isPending ? (
        <SkeletonRows rows={3} className="h-16" />
      ) : list.error ? (
        <div className="p-4">
          <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
        </div>
      ) : (
        <>
          <search className="block px-4 py-2">
            <SearchBox
              label="Find a key"
              hideLabel
              placeholder="Actor, label or id"
              words={words}
              onSearch={(q) =>
                change({ keys_words: q || undefined, ...firstPage('keys') }, { replace: true })
              }
            />
          </search>
          <p className="px-4 pb-1 text-faint text-small">{counted(list.data.total, 'key')}</p>
          <ul aria-label="Keys" className="mt-2 divide-y divide-line border-line border-t">
            {list.data.keys.map((key) => (
              <KeyRow key={key.key_id} item={key} onRevoke={() => setEnding(key)} />
            ))}
          </ul>
          <Pager
            label="keys"
            at={place.at}
            shown={list.data.keys.length}
            total={list.data.total}
            busy={list.isPlaceholderData}
            onFirst={place.first}
            onNext={nextOf(list.data.next, (next) => place.next(next, list.data.keys.length))}
          />
        </>
      )}
      {making && <NewKeyModal onClose={() => setMaking(false)} />}
      {ending && (
        <RevokeKeyModal
          item={ending}
          busy={revoke.isPending}
          error={revoke.error}
          onRevoke={() => revoke.mutate(ending)}
          onClose={() => {
            setEnding(undefined);
            revoke.reset();
          }}
        />
      )}
    </Card>
  );
}

function nextOf(next: string | null, go: (next: string) => void): (() => void) | undefined {
  return next === null ? undefined : () => go(next);
}

const kinds = { owner: 'Owner key', key: 'Key', mtls: 'Certificate' } as const;

function KeyRow({ item, onRevoke }: { item: Key; onRevoke: () => void }) {
  const active = item.revoked_at === null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <span className="min-w-0 flex-1 basis-48">
        <ActorName id={item.actor_id} type={item.actor_type} />
        <span className="block truncate text-faint text-small">
          {item.label ?? kinds[item.kind]} · <code className="font-mono">{item.key_id}</code>
        </span>
      </span>
      <span className="text-faint text-small">
        {item.last_used_at ? (
          <>
            used <TimeAgo at={item.last_used_at} />
          </>
        ) : (
          <>
            made <TimeAgo at={item.created_at} />
          </>
        )}
      </span>
      <span className="ml-auto flex w-24 justify-end">
        {!active ? (
          <Badge>Revoked</Badge>
        ) : item.kind === 'owner' ? (
          <Badge tone="info">Owner</Badge>
        ) : (
          <Button tone="quiet" onClick={onRevoke} aria-label={`Revoke the key of ${item.actor_id}`}>
            Revoke
          </Button>
        )}
      </span>
    </li>
  );
}
