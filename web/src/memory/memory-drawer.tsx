import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { QuotedText } from '../inbox/content/content-section.tsx';
import { counted } from '../numbers.ts';
import { Button } from '../ui/button.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { didName } from '../ui/id-words.ts';
import { JsonView } from '../ui/json-view.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { EraseModal } from './erase-modal.tsx';
import { MemoryActions } from './memory-actions.tsx';
import { categoriesQuery, type KnownMemory, memoryQuery, seenQuery } from './queries.ts';
import { sensitivityOf } from './sensitivity.ts';
import { SensitivityBadge } from './sensitivity-badge.tsx';
import { memoryTypeWords } from './type-words.ts';

interface MemoryDrawerProps {
  readonly profile: string;
  readonly id: string;
  /** A correction may be kept under another id. */
  readonly onMoved: (id: string) => void;
  readonly onClose: () => void;
}

export function MemoryDrawer({ profile, id, onMoved, onClose }: MemoryDrawerProps) {
  const query = useQuery(memoryQuery(profile, id));
  const [erasing, setErasing] = useState(false);
  return (
    <Drawer open onClose={onClose} title="Memory" description="What is kept, from whom, and who has seen it.">
      <QueryView query={query}>
        {(known) => (
          <div className="flex flex-col gap-6">
            <QuotedText text={known.memory.content} />
            <MemoryActions profile={profile} known={known} onMoved={onMoved} />
            <MemoryFacts known={known} />
            <WhoSaw profile={profile} id={id} />
            <details>
              <summary className="w-fit text-small text-soft hover:text-ink">As JSON</summary>
              <div className="mt-2">
                <JsonView value={known.document} label="The memory as JSON" />
              </div>
            </details>
            <section className="rounded-control border border-line p-4">
              <h3 className="font-semibold">Forget it for good</h3>
              <p className="mt-1 mb-3 text-soft">
                The content leaves the store and its indexes. The journal keeps only a hash that nobody can
                match to it any more.
              </p>
              <Button tone="bad" icon="trash" onClick={() => setErasing(true)}>
                Erase…
              </Button>
            </section>
            {erasing && (
              <EraseModal
                profile={profile}
                known={known}
                onClose={() => setErasing(false)}
                onErased={() => {
                  setErasing(false);
                  onClose();
                }}
              />
            )}
          </div>
        )}
      </QueryView>
    </Drawer>
  );
}

function MemoryFacts({ known }: { known: KnownMemory }) {
  const { data: categories = [] } = useQuery(categoriesQuery);
  const { memory, type, confidence } = known;
  const from = memory.source.agentDid;
  return (
    <FactsList
      facts={[
        ['Type', memoryTypeWords(type)],
        [
          'Category',
          <code key="category" className="font-mono text-small">
            {memory.category ?? 'none'}
          </code>,
        ],
        ['Sensitivity', <SensitivityBadge key="level" level={sensitivityOf(memory, categories)} />],
        ['Confidence', `${Math.round(confidence * 100)}%`],
        [
          'From',
          from
            ? didName(from)
            : memory.source.type === 'user_manual'
              ? 'you'
              : (memory.source.type ?? 'unknown'),
        ],
        ...(memory.metadata.approvedAt
          ? [['Kept since', <TimeAgo key="since" at={memory.metadata.approvedAt} />] as const]
          : []),
        ['Id', <ShortId key="id" value={memory.id} label="the memory’s id" />],
      ]}
    />
  );
}

function WhoSaw({ profile, id }: { profile: string; id: string }) {
  const query = useQuery(seenQuery(profile, id));
  return (
    <section aria-label="Who saw it">
      <h3 className="mb-2 font-semibold">Who saw it</h3>
      <QueryView query={query} rows={2}>
        {(accesses) =>
          accesses.length === 0 ? (
            <p className="text-soft">No agent was given this memory.</p>
          ) : (
            <>
              <p className="mb-2 text-small text-soft">Given to agents {counted(accesses.length, 'time')}.</p>
              <ul className="divide-y divide-line rounded-control border border-line">
                {accesses.map((access) => (
                  <li
                    key={`${access.receipt_id} ${access.request_id}`}
                    className="flex flex-wrap items-center gap-x-3 px-3 py-2"
                  >
                    <span className="font-medium" title={access.agent_did}>
                      {didName(access.agent_did)}
                    </span>
                    <span className="text-small text-soft">
                      {access.purpose === 'other' ? 'for no stated purpose' : `for ${access.purpose}`}
                    </span>
                    <span className="ml-auto text-faint text-small">
                      <TimeAgo at={access.at} />
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
    </section>
  );
}
