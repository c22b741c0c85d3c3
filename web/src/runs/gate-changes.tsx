import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '../numbers.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { gateQuery } from './queries.ts';

/** What a gate approves: its documents, and the diff of the turns. Nobody should have to look for what they approve. */
export function GateChanges({ id, name }: { id: string; name: string }) {
  const [open, setOpen] = useState(true);
  return (
    <details
      open={open}
      className="rounded-card border border-line bg-surface shadow-card"
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="cursor-pointer p-4 font-medium">What gate {name} approves</summary>
      {open && <Contents id={id} />}
    </details>
  );
}

function Contents({ id }: { id: string }) {
  const query = useQuery(gateQuery(id));
  return (
    <QueryView query={query} rows={4}>
      {({ documents, changes }) => (
        <div className="flex flex-col gap-3 border-line border-t p-4">
          {documents.map(({ path, text, truncated }) => (
            <section key={path} aria-label={path}>
              <h3 className="font-mono text-small">{path}</h3>
              {text === null ? (
                <p className="text-small text-warn">It is not there.</p>
              ) : (
                <Text text={`${text}${truncated ? '\n… it is longer' : ''}`} />
              )}
            </section>
          ))}
          <section aria-label="Changes">
            <h3 className="font-medium">{counted(changes.files.length, 'changed file')}</h3>
            {changes.files.length === 0 && <EmptyState icon="check" title="The turns changed no file" />}
            <ul className="my-2 text-small">
              {changes.files.map(({ path, added, deleted }) => (
                <li key={path} className="flex gap-2 font-mono">
                  <span className="text-good">{added === null ? '' : `+${added}`}</span>
                  <span className="text-bad">{deleted === null ? '' : `-${deleted}`}</span>
                  <span className="min-w-0 break-all">{path}</span>
                </li>
              ))}
            </ul>
            {changes.patch !== '' && (
              <Text diff text={`${changes.patch}${changes.truncated ? '\n… the diff is longer' : ''}`} />
            )}
          </section>
        </div>
      )}
    </QueryView>
  );
}

const TONES: Readonly<Record<string, string>> = { '+': 'text-good', '-': 'text-bad', '@': 'text-accent' };

function Text({ text, diff = false }: { text: string; diff?: boolean }) {
  return (
    <pre className="whitespace-pre-wrap rounded-control bg-sunken px-2.5 py-1.5 font-mono text-small [overflow-wrap:anywhere]">
      {text.split('\n').map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never move
        <span key={at} className={diff ? TONES[line[0] ?? ''] : undefined}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
