import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { counted } from '../numbers.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { shortId } from '../ui/id-words.ts';
import { Modal } from '../ui/modal.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { packagesBehind, type Relied } from './queries.ts';

/** As many as one request takes. */
const AT_ONCE = 200;

/** Lists what would be kept from agents before anything is, and takes it back as easily. */
export function QuarantineModal({ relied, onClose }: { relied: Relied; onClose: () => void }) {
  const queries = useQueryClient();
  const listed = useQuery({
    queryKey: ['why', 'packages', relied.project_id, relied.id, relied.kind],
    queryFn: async () => {
      const behind = await packagesBehind(relied);
      return relied.kind === 'package' ? [relied.id, ...behind] : behind;
    },
  });
  const moving = useMutation({
    mutationFn: async (release: boolean) => {
      const ids = listed.data ?? [];
      let changed = 0;
      for (let at = 0; at < ids.length; at += AT_ONCE) {
        const answer = await client.call('packages.quarantine', {
          project_id: relied.project_id,
          package_ids: ids.slice(at, at + AT_ONCE),
          release,
        });
        changed += answer.changed.length;
      }
      return { changed, release };
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['context'] }),
  });
  const done = moving.data;
  return (
    <Modal
      open
      onClose={onClose}
      title="Keep these packages from agents?"
      description="They leave orientation, lists and search, keep their place in the lineage, and can be put back."
    >
      <QueryView query={listed} rows={3}>
        {(ids) => (
          <ul
            aria-label="Packages"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keyboard
            tabIndex={0}
            className="max-h-56 divide-y divide-line overflow-y-auto rounded-control border border-line"
          >
            {ids.map((id) => (
              <li key={id} className="px-3 py-1.5 font-mono text-small">
                {shortId(id)}
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      {done && (
        <p role="status" className="font-medium">
          {counted(done.changed, 'package')} {done.release ? 'put back.' : 'in quarantine.'}
        </p>
      )}
      {moving.error && <ErrorNote error={moving.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        <Button busy={moving.isPending} disabled={!listed.data} onClick={() => moving.mutate(true)}>
          Put back
        </Button>
        <Button
          tone="bad"
          busy={moving.isPending}
          disabled={!listed.data}
          onClick={() => moving.mutate(false)}
        >
          Quarantine {listed.data?.length ?? ''}
        </Button>
      </div>
    </Modal>
  );
}
