import { type DragEvent, useId, useState } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';
import { Icon } from '../ui/icon.tsx';
import { checkFile, type FileVerdict, type HandedIn } from './check-file.ts';
import { FileVerdictView } from './file-verdict.tsx';

interface Checked {
  readonly name: string;
  readonly verdict?: FileVerdict;
  readonly error?: unknown;
}

export function FileChecker() {
  const id = useId();
  const [key, setKey] = useState('');
  const [over, setOver] = useState(false);
  const [checked, setChecked] = useState<readonly Checked[]>([]);

  async function take(files: FileList | null) {
    const handed = await Promise.all([...(files ?? [])].map(handedIn));
    const results = await Promise.all(
      handed.map(async (file): Promise<Checked> => {
        try {
          return { name: file.name, verdict: await checkFile(file, handed, key.trim() || undefined) };
        } catch (error) {
          return { name: file.name, error };
        }
      }),
    );
    setChecked((before) => [...results, ...before]);
  }

  const drop = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void take(event.dataTransfer.files);
    },
  };

  return (
    <Card title="Check a file">
      <label
        htmlFor={id}
        {...drop}
        className={`flex cursor-pointer flex-col items-center gap-2 rounded-card border border-dashed px-4 py-10 text-center transition-colors focus-within:outline-2 focus-within:outline-accent focus-within:outline-offset-2 hover:bg-hover ${over ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
      >
        <Icon name="upload" size={22} className="text-faint" />
        <span className="font-medium">Drop files here, or choose them</span>
        <span className="text-small text-soft">
          A proof of an event or an explanation, events one a line, a checkpoint or a proof that the journal
          only grew, the export of a run, or all files of an exported project
        </span>
        <input
          id={id}
          type="file"
          multiple
          className="sr-only"
          onChange={(event) => {
            void take(event.target.files);
            event.target.value = '';
          }}
        />
      </label>
      <TrustedKey value={key} onChange={setKey} />
      <ul aria-live="polite" aria-label="Results" className="mt-5 flex flex-col gap-4 empty:hidden">
        {checked.map(({ name, verdict, error }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: results are only ever put in front, and hold no state
          <li key={checked.length - index}>
            <p className="mb-1.5 flex items-center gap-2 break-all font-medium">
              <Icon name="file" size={16} className="text-faint" />
              {name}
            </p>
            {verdict && <FileVerdictView verdict={verdict} />}
            {error !== undefined && <ErrorNote error={error} />}
          </li>
        ))}
      </ul>
    </Card>
  );
}

async function handedIn(file: File): Promise<HandedIn> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { name: file.name, bytes, text: new TextDecoder().decode(bytes) };
}

/** A proof brings its own key, which proves nothing about who made it; a key from elsewhere does. */
function TrustedKey({ value, onChange }: { value: string; onChange: (key: string) => void }) {
  const [error, setError] = useState<unknown>();
  async function takeServersKey() {
    setError(undefined);
    try {
      onChange((await client.call('journal.checkpoint', {})).verifier_key);
    } catch (failure) {
      setError(failure);
    }
  }
  return (
    <div className="mt-4">
      <div className="flex flex-wrap items-start gap-2">
        <TextField
          className="min-w-0 flex-1 basis-64"
          label="Trusted key (optional)"
          hint="Without it, the proof is checked against the key it contains."
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <Button className="sm:mt-6" icon="key" onClick={() => void takeServersKey()}>
          Take this server’s key
        </Button>
      </div>
      {error !== undefined && (
        <div className="mt-3">
          <ErrorNote error={error} />
        </div>
      )}
    </div>
  );
}
