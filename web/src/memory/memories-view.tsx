import { useQuery } from '@tanstack/react-query';
import { useListPlace } from '../list-place.ts';
import { count } from '../numbers.ts';
import { useParams } from '../search-params.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Pager } from '../ui/pager.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import {
  categoriesQuery,
  foundMemoriesQuery,
  type KnownMemory,
  LISTED,
  type MemoryType,
  memoriesQuery,
  memoryCountsQuery,
} from './queries.ts';
import { sensitivityOf } from './sensitivity.ts';
import { SensitivityBadge } from './sensitivity-badge.tsx';
import type { MemoryViewProps } from './view-props.ts';

const types = [
  ['semantic', 'Facts', 'What is true.'],
  ['procedural', 'Habits', 'How things are done.'],
  ['episodic', 'Events', 'What has happened.'],
] as const;

export function MemoriesView({ profile, onOpen }: MemoryViewProps) {
  const [params, change] = useParams();
  const query = useQuery(memoryCountsQuery(profile));
  const words = params.q ?? '';
  return (
    <QueryView query={query} rows={6}>
      {({ memories }) =>
        Object.values(memories).every((n) => n === 0) ? (
          <Card>
            <EmptyState icon="memory" title="Nothing is remembered yet">
              Approve what agents propose (it waits under Proposals), or add something in your own words.
            </EmptyState>
          </Card>
        ) : (
          <>
            <search className="mb-3 block max-w-md">
              <SearchBox
                label="Find a memory"
                hideLabel
                placeholder="Find by words and by meaning"
                words={words}
                onSearch={(q) => change({ q: q || undefined }, { replace: true })}
              />
            </search>
            {words === '' ? (
              <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-3">
                {types.map(([type, title, lead]) => (
                  <TypeCard
                    key={type}
                    profile={profile}
                    type={type}
                    title={title}
                    lead={lead}
                    total={memories[type]}
                    onOpen={onOpen}
                  />
                ))}
              </div>
            ) : (
              <FoundCard profile={profile} words={words} onOpen={onOpen} />
            )}
          </>
        )
      }
    </QueryView>
  );
}

function FoundCard({ profile, words, onOpen }: MemoryViewProps & { words: string }) {
  const query = useQuery(foundMemoriesQuery(profile, words));
  return (
    <Card flush title="Found">
      <QueryView query={query} rows={4}>
        {(memories) =>
          memories.length === 0 ? (
            <EmptyState icon="search" title="No memory comes near these words" />
          ) : (
            <>
              <ul
                aria-label="Memories found, best first"
                className="divide-y divide-line border-line border-t"
              >
                {memories.map((each) => (
                  <MemoryRow key={each.memory.id} known={each} onOpen={onOpen} />
                ))}
              </ul>
              {memories.length >= LISTED && (
                <p className="border-line border-t px-4 py-2.5 text-faint text-small">
                  The best {LISTED}. Other words find others.
                </p>
              )}
            </>
          )
        }
      </QueryView>
    </Card>
  );
}

interface TypeCardProps extends MemoryViewProps {
  readonly type: MemoryType;
  readonly title: string;
  readonly lead: string;
  readonly total: number;
}

function TypeCard({ profile, type, title, lead, total, onOpen }: TypeCardProps) {
  const place = useListPlace(type);
  const query = useQuery(memoriesQuery(profile, type, place.at));
  return (
    <Card flush title={title} aside={<span className="tabular text-faint text-small">{count(total)}</span>}>
      <p className="px-4 pb-2 text-faint text-small">{lead}</p>
      {total > 0 && (
        <QueryView query={query} rows={3}>
          {(memories) => (
            <>
              <ul aria-label={title} className="divide-y divide-line border-line border-t">
                {memories.map((each) => (
                  <MemoryRow key={each.memory.id} known={each} onOpen={onOpen} />
                ))}
              </ul>
              <Pager
                label={title}
                at={place.at}
                shown={memories.length}
                total={total}
                busy={query.isPlaceholderData}
                onFirst={place.first}
                onNext={
                  place.at + memories.length < total ? () => place.next('', memories.length) : undefined
                }
              />
            </>
          )}
        </QueryView>
      )}
    </Card>
  );
}

function MemoryRow({ known, onOpen }: { known: KnownMemory; onOpen: (id: string) => void }) {
  const { memory, confidence, pinned, suggests } = known;
  const { data: categories = [] } = useQuery(categoriesQuery);
  return (
    <li>
      <button
        type="button"
        onClick={() => onOpen(memory.id)}
        className="flex w-full flex-col gap-1.5 px-4 py-3 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="break-words">{memory.content}</span>
        <span className="flex flex-wrap items-center gap-2">
          <SensitivityBadge level={sensitivityOf(memory, categories)} />
          {memory.status === 'archived' && <Badge>put away</Badge>}
          {pinned && <Badge tone="accent">pinned</Badge>}
          {suggests && <Badge tone="warn">fading</Badge>}
          <span className="min-w-0 truncate text-faint text-small">
            {memory.category ?? 'no category'} · {Math.round(confidence * 100)}%
          </span>
        </span>
      </button>
    </li>
  );
}
