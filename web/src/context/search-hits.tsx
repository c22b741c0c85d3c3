import { kindWords } from '../inbox/state-words.ts';
import { Badge } from '../ui/badge.tsx';
import type { Hit } from './queries.ts';

interface SearchHitsProps {
  readonly hits: readonly Hit[];
  readonly dimmed: boolean;
  readonly onOpen: (packageId: string) => void;
}

/** Best first, each with the passage that fits best. */
export function SearchHits({ hits, dimmed, onOpen }: SearchHitsProps) {
  return (
    <ul
      aria-label="Results, best first"
      className={`divide-y divide-line transition-opacity ${dimmed ? 'opacity-60' : ''}`}
    >
      {hits.map((hit) =>
        hit.collection === 'package' ? (
          <li key={`${hit.collection} ${hit.id}`}>
            <button
              type="button"
              onClick={() => onOpen(hit.id)}
              className="w-full px-4 py-3 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <HitBody hit={hit} />
            </button>
          </li>
        ) : (
          <li key={`${hit.collection} ${hit.id}`} className="px-4 py-3">
            <HitBody hit={hit} />
          </li>
        ),
      )}
    </ul>
  );
}

function HitBody({ hit }: { hit: Hit }) {
  return (
    <>
      <span className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate font-medium">{hit.title ?? hit.text}</span>
        <Score score={hit.score} />
      </span>
      <span className="mt-0.5 flex gap-2 text-small text-soft">
        <Badge>{kindWords(hit.field.replace(/_md$/, ''))}</Badge>
        {hit.title !== undefined && hit.title !== hit.text && (
          <span className="line-clamp-2 min-w-0 break-words">{hit.text}</span>
        )}
      </span>
    </>
  );
}

function Score({ score }: { score: number }) {
  const percent = Math.round(Math.min(1, Math.max(0, score)) * 100);
  return (
    <span className="flex items-center gap-2" title={`Score ${score.toFixed(3)}`}>
      <span aria-hidden="true" className="h-1.5 w-14 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </span>
      <span className="tabular w-9 text-right text-faint text-small">{percent}%</span>
    </span>
  );
}
