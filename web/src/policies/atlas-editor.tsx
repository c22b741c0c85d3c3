import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Remark } from './queries.ts';

interface AtlasEditorProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onFile: (file: File | undefined) => Promise<void>;
  /** Why the text is no JSON. */
  readonly problem: string | undefined;
  readonly remarks: readonly Remark[];
  readonly checkError: unknown;
}

/** The source of the draft, with what is wrong or doubtful in it said as one types. */
export function AtlasEditor({ text, onText, onFile, problem, remarks, checkError }: AtlasEditorProps) {
  return (
    <Card
      flush
      title="atlas.json"
      aside={
        <label className="cursor-pointer font-medium text-accent text-small underline-offset-4 focus-within:underline hover:underline">
          Choose another
          <input
            type="file"
            accept="application/json,.json"
            className="sr-only"
            onChange={(event) => void onFile(event.target.files?.[0])}
          />
        </label>
      }
    >
      <textarea
        aria-label="Source of the Atlas"
        value={text}
        onChange={(event) => onText(event.target.value)}
        spellCheck={false}
        rows={22}
        className="mt-1 w-full resize-y border-line border-y bg-sunken px-4 py-3 font-mono text-small leading-5 focus-visible:-outline-offset-2"
      />
      <div aria-live="polite" className="px-4 py-3">
        {problem !== undefined ? (
          <p className="flex gap-2 text-bad">
            <Icon name="warning" size={16} className="mt-0.5" />
            <span className="min-w-0 break-words">{problem}</span>
          </p>
        ) : checkError ? (
          <ErrorNote error={checkError} />
        ) : remarks.length === 0 ? (
          <p className="flex gap-2 text-good">
            <Icon name="check" size={16} className="mt-0.5" /> Nothing to remark.
          </p>
        ) : (
          <ul aria-label="Remarks" className="flex flex-col gap-1.5">
            {remarks.map(({ severity, pointer, message }) => (
              <li
                key={`${pointer} ${message}`}
                className={`flex gap-2 ${severity === 'error' ? 'text-bad' : 'text-soft'}`}
              >
                <Icon
                  name={severity === 'error' ? 'warning' : 'info'}
                  size={16}
                  className={`mt-0.5 ${severity === 'error' ? '' : 'text-warn'}`}
                />
                <span className="min-w-0 break-words">
                  {pointer && <code className="mr-2 font-mono text-faint text-small">{pointer}</code>}
                  {message}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
