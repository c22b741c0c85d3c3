import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../ui/badge.tsx';
import { FullHash } from '../../ui/hash.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { type Bound, boundDigest, boundText } from '../bound-digest.ts';
import type { InboxItem } from '../queries.ts';

/** The digest of an item, recomputed here where everything that it is taken of is known to the page. */
export function DigestCard({ item, bound }: { item: InboxItem; bound?: Bound | undefined }) {
  const { data: computed } = useQuery({
    queryKey: ['digest', bound && boundText(bound)],
    queryFn: async () => (bound && (await boundDigest(bound))) ?? null,
    enabled: bound !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section aria-label="Digest" className="rounded-control bg-sunken p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium text-small">Exactly this content</h3>
        {computed &&
          (computed === item.digest ? (
            <Badge tone="good" icon="check">
              Digest recomputed here
            </Badge>
          ) : (
            <Badge tone="bad" icon="warning">
              The digest does not match
            </Badge>
          ))}
      </div>
      <p className="mt-0.5 text-small text-soft">
        A decision holds for the content with this digest. If it changes, the item is asked anew.
      </p>
      <FullHash value={item.digest} label="the digest" />
      {bound && (
        <details className="mt-1">
          <summary className="w-fit text-small text-soft hover:text-ink">What it covers</summary>
          <div className="mt-2 rounded-control border border-line">
            <JsonView value={bound} label="What the digest covers" />
          </div>
        </details>
      )}
    </section>
  );
}
