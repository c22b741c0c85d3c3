import { useQuery } from '@tanstack/react-query';
import { counted, dollars, totalWords } from '../numbers.ts';
import { actorColor } from '../ui/actor-color.ts';
import { Card } from '../ui/card.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { type Span, spendingQuery } from './queries.ts';

const SHOWN = 5;

/** What models cost, as far as it is known; what has no price is said and never counted as nothing. */
export function SpendingCard({ project, span }: { project: string; span: Span }) {
  const query = useQuery(spendingQuery(project, span));
  return (
    <Card title="Spent">
      <QueryView query={query} rows={3}>
        {({ items }) => {
          const total = items.reduce((sum, { cost_usd }) => sum + cost_usd, 0);
          const unpriced = items.reduce((sum, { unpriced_tokens }) => sum + unpriced_tokens, 0);
          const most = Math.max(...items.map(({ cost_usd }) => cost_usd), Number.EPSILON);
          const paid = items.filter(({ cost_usd }) => cost_usd > 0);
          return (
            <>
              <p className="tabular font-semibold text-figure tracking-tight">
                {paid.length === 0 ? <span className="text-faint">Unknown</span> : dollars(total)}
              </p>
              <p className="text-faint text-small">
                {unpriced > 0
                  ? `${paid.length === 0 ? '' : 'and '}${totalWords(unpriced)} tokens of models without a price`
                  : paid.length === 0
                    ? 'No span of this time says what it cost.'
                    : `by ${counted(paid.length, 'agent')}`}
              </p>
              <ul aria-label="Spent by agent" className="mt-3 flex flex-col gap-2.5">
                {paid.slice(0, SHOWN).map(({ key, cost_usd }) => (
                  <li key={key}>
                    <span className="flex justify-between gap-3 text-small">
                      <span className="truncate">{key}</span>
                      <span className="tabular font-semibold">{dollars(cost_usd)}</span>
                    </span>
                    <span className="mt-1 block h-1 rounded-full bg-sunken">
                      <span
                        className="block h-1 min-w-1 rounded-full"
                        style={{ width: `${(cost_usd / most) * 100}%`, background: actorColor(key) }}
                      />
                    </span>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}
