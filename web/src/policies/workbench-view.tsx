import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { maybeText } from '../api/shape.ts';
import { draftedQuery } from '../inbox/standing/queries.ts';
import { useParams } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { AtlasEditor } from './atlas-editor.tsx';
import { DraftRules } from './draft-rules.tsx';
import { ImpactCard } from './impact-card.tsx';
import { LoadBar } from './load-bar.tsx';
import { atlasesQuery, checkQuery, impactQuery, manifestQuery } from './queries.ts';
import { compareRules, type Draft, readDraft } from './rule-sentence.ts';
import type { PolicyViewProps } from './view-props.ts';

const PAUSE_MS = 300;

/** A draft of an Atlas: what it says, what differs, and which real decisions would be others. Nothing counts before it is loaded. */
export function WorkbenchView({ project }: PolicyViewProps) {
  const [text, setText] = useState('');
  const [over, setOver] = useState(false);
  const atlases = useQuery(atlasesQuery(project));
  const suggested = useSuggestedDraft(setText);

  async function take(file: File | undefined) {
    if (file) setText(await file.text());
  }
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a comfort; the button does the same
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={over ? 'rounded-card ring-2 ring-accent' : undefined}
    >
      {suggested.error && text === '' && (
        <div className="mb-4">
          <ErrorNote error={suggested.error} />
        </div>
      )}
      {text === '' ? (
        <Card>
          <EmptyState icon="upload" title="Drop an Atlas here">
            Its rules are read as sentences, checked, compared with what is loaded, and tried on what was
            really decided. Nothing counts until you load it.
            <span className="mt-4 flex flex-wrap items-center justify-center gap-3">
              <ChooseFile onFile={take} />
              {(atlases.data ?? []).map(({ atlas_id, name }) => (
                <EditLoaded
                  key={atlas_id}
                  project={project}
                  atlasId={atlas_id}
                  name={name}
                  onText={setText}
                />
              ))}
            </span>
          </EmptyState>
        </Card>
      ) : (
        <Bench project={project} text={text} onText={setText} onFile={take} />
      )}
    </div>
  );
}

/** The draft of a suggestion that the address names, put into the editor once. */
function useSuggestedDraft(onText: (text: string) => void) {
  const [{ draft }] = useParams();
  const drafted = useQuery({ ...draftedQuery(draft ?? ''), enabled: draft !== undefined });
  const taken = useRef<string>(undefined);
  const { data } = drafted;
  useEffect(() => {
    if (!data || taken.current === data.answer.id) return;
    taken.current = data.answer.id;
    onText(JSON.stringify(data.manifest, null, 2));
  }, [data, onText]);
  return drafted;
}

function ChooseFile({ onFile }: { onFile: (file: File | undefined) => Promise<void> }) {
  return (
    <label className="inline-flex h-9 cursor-pointer items-center gap-2 rounded-control bg-accent-solid px-3 font-medium text-on-accent focus-within:outline-2 focus-within:outline-accent focus-within:outline-offset-2 hover:bg-accent-solid-hover">
      Choose atlas.json
      <input
        type="file"
        accept="application/json,.json"
        className="sr-only"
        onChange={(event) => void onFile(event.target.files?.[0])}
      />
    </label>
  );
}

interface EditLoadedProps extends PolicyViewProps {
  readonly atlasId: string;
  readonly name: string;
  readonly onText: (text: string) => void;
}

function EditLoaded({ project, atlasId, name, onText }: EditLoadedProps) {
  const { data } = useQuery(manifestQuery(project, atlasId));
  return (
    <Button icon="edit" disabled={!data} onClick={() => onText(JSON.stringify(data, null, 2))}>
      Edit {name}
    </Button>
  );
}

interface BenchProps extends PolicyViewProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onFile: (file: File | undefined) => Promise<void>;
}

function Bench({ project, text, onText, onFile }: BenchProps) {
  const paused = usePaused(text);
  const draft = readDraft(paused);
  /** While the text is no JSON, what it last said stays, and is marked as old. */
  const [valid, setValid] = useState<Extract<Draft, { ok: true }>>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is read from `paused` alone
  useEffect(() => {
    if (draft.ok) setValid(draft);
  }, [paused]);
  const manifest = draft.ok ? draft.manifest : undefined;
  const atlasId = maybeText(valid?.manifest.atlas_id);
  const atlases = useQuery(atlasesQuery(project));
  const loaded = atlases.data?.find(({ atlas_id }) => atlas_id === atlasId);
  const before = useQuery({ ...manifestQuery(project, atlasId ?? ''), enabled: loaded !== undefined });
  const check = useQuery(checkQuery(manifest));
  const loadable = draft.ok && check.data?.loadable === true && !check.isPlaceholderData;
  const impact = useQuery(impactQuery(project, manifest, loadable));
  const rules = compareRules(valid?.policies ?? [], (loaded && before.data?.policies) ?? []);
  return (
    <>
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <DraftRules rules={rules} old={!draft.ok} comparing={loaded !== undefined} />
        <AtlasEditor
          text={text}
          onText={onText}
          onFile={onFile}
          problem={draft.ok ? undefined : draft.message}
          remarks={check.data?.remarks ?? []}
          checkError={check.error}
        />
      </div>
      <ImpactCard query={impact} waiting={!loadable} />
      <LoadBar
        project={project}
        manifest={loadable ? manifest : undefined}
        loaded={loaded}
        remarks={check.data?.remarks.length ?? 0}
        changedRules={rules.filter(({ change }) => change !== 'same').length}
        impact={loadable && !impact.isPlaceholderData ? impact.data : undefined}
        onDone={() => onText('')}
      />
    </>
  );
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const pause = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(pause);
  }, [text]);
  return paused;
}
