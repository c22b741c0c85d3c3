import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count } from '../numbers.ts';
import { Badge } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextField } from '../ui/field.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { categoriesQuery, type KnownMemory, memoriesQuery } from './queries.ts';
import { sensitivityOf } from './sensitivity.ts';
import { SensitivityBadge } from './sensitivity-badge.tsx';
import type { MemoryViewProps } from './view-props.ts';

const types = [
  ['semantic', 'Facts', 'What is true.'],
  ['procedural', 'Habits', 'How things are done.'],
  ['episodic', 'Events', 'What has happened.'],
] as const;

export function MemoriesView({ profile, onOpen }: MemoryViewProps) {
  const query = useQuery(memoriesQuery(profile));
  const [filter, setFilter] = useState('');
  const wanted = filter.toLowerCase();
  return (
    <QueryView query={query} rows={6}>
      {(memories) =>
        memories.length === 0 ? (
          <Card>
            <EmptyState icon="memory" title="Nothing is remembered yet">
              Approve what agents propose (it waits under Proposals), or say something yourself:
              <div className="mt-4 text-left">
                <CommandLine command='npx baton-ledger memory add "Prefers short answers"' />
              </div>
            </EmptyState>
          </Card>
        ) : (
          <>
            <search className="mb-3 block max-w-md">
              <TextField
                label="Find a memory"
                hideLabel
                type="search"
                placeholder="Find in content and category"
                value={filter}
                onChange={(event) => setFilter(event.target.value)}
              />
            </search>
            <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-3">
              {types.map(([type, title, lead]) => (
                <TypeCard
                  key={type}
                  title={title}
                  lead={lead}
                  memories={memories.filter(
                    (each) =>
                      each.type === type &&
                      `${each.memory.content} ${each.memory.category ?? ''}`.toLowerCase().includes(wanted),
                  )}
                  onOpen={onOpen}
                />
              ))}
            </div>
          </>
        )
      }
    </QueryView>
  );
}

interface TypeCardProps {
  readonly title: string;
  readonly lead: string;
  readonly memories: readonly KnownMemory[];
  readonly onOpen: (id: string) => void;
}

function TypeCard({ title, lead, memories, onOpen }: TypeCardProps) {
  return (
    <Card
      flush
      title={title}
      aside={<span className="tabular text-faint text-small">{count(memories.length)}</span>}
    >
      <p className="px-4 pb-2 text-faint text-small">{lead}</p>
      {memories.length > 0 && (
        <ul aria-label={title} className="divide-y divide-line border-line border-t">
          {memories.map((each) => (
            <MemoryRow key={each.memory.id} known={each} onOpen={onOpen} />
          ))}
        </ul>
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
            {memory.category ?? 'no category'} · {Math.round(confidence * 100)} %
          </span>
        </span>
      </button>
    </li>
  );
}
