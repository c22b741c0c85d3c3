import type { Arguments, Operations } from '@baton-ledger/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { maybeText } from '../api/shape.ts';
import { count, counted } from '../numbers.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Modal } from '../ui/modal.tsx';
import type { AtlasSummary, Impact } from './queries.ts';

type Mode = 'enforce' | 'log_only';

interface LoadBarProps {
  readonly project: string;
  /** Undefined while the draft cannot be loaded. */
  readonly manifest: Record<string, unknown> | undefined;
  readonly loaded: AtlasSummary | undefined;
  readonly remarks: number;
  readonly changedRules: number;
  /** Of exactly this draft. */
  readonly impact: Impact | undefined;
  readonly onDone: () => void;
}

/** The last step, always in sight. It opens once the impact of exactly this draft was shown. */
export function LoadBar({ project, manifest, loaded, remarks, changedRules, impact, onDone }: LoadBarProps) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Mode>();
  const loading = useMutation({
    mutationFn: (mode: Mode) =>
      client.call('atlas.load', { project, mode, manifest } as Arguments<Operations['atlas.load']>),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['policies'] });
      setAsked(undefined);
      onDone();
    },
  });
  const ready = manifest !== undefined && impact !== undefined;
  const version = maybeText(manifest?.version) ?? '';
  const name = maybeText(manifest?.name) ?? maybeText(manifest?.atlas_id) ?? 'the Atlas';
  const changes =
    impact && `${count(impact.changed_count)} of ${counted(impact.decisions, 'decision')} would change`;
  const close = () => {
    loading.reset();
    setAsked(undefined);
  };
  return (
    <section
      aria-label="Load the draft"
      className="sticky bottom-0 z-10 mt-4 flex flex-wrap items-center gap-x-5 gap-y-2 rounded-card border border-line bg-raised px-4 py-3 shadow-float"
    >
      <span className={manifest ? 'text-good' : 'text-bad'}>
        {manifest ? 'Valid' : 'Cannot be loaded yet'}
      </span>
      {remarks > 0 && <span className="text-warn">{counted(remarks, 'remark')}</span>}
      {loaded && (
        <span className="text-soft">
          {counted(changedRules, 'rule differs', 'rules differ')} from {loaded.version}
        </span>
      )}
      {changes && <span className="text-soft">{changes}</span>}
      <span className="ml-auto flex flex-wrap gap-2">
        <Button tone="quiet" onClick={onDone}>
          Discard
        </Button>
        <Button disabled={!ready} onClick={() => setAsked('log_only')}>
          Record only
        </Button>
        <Button tone="primary" disabled={!ready} onClick={() => setAsked('enforce')}>
          Load {version}
        </Button>
      </span>
      {asked !== undefined && (
        <Modal
          open
          onClose={close}
          title={
            asked === 'enforce' ? `Load ${name} ${version}?` : `Record what ${name} ${version} would decide?`
          }
          description={
            asked === 'enforce'
              ? 'Its rules hold from the next call on.'
              : 'What it would deny or ask is written down; nothing is stopped.'
          }
        >
          <p className="text-soft">
            {loaded ? `It takes the place of ${loaded.version}. ` : 'No version of it is loaded now. '}
            {changes && `Decided again, ${changes}.`}
          </p>
          {loading.error && <ErrorNote error={loading.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={close}>Cancel</Button>
            <Button tone="primary" busy={loading.isPending} onClick={() => loading.mutate(asked)}>
              {asked === 'enforce' ? 'Load' : 'Record only'}
            </Button>
          </div>
        </Modal>
      )}
    </section>
  );
}
