import { CopyButton } from './copy-button.tsx';
import { shortId } from './id-words.ts';

/** An id as much as tells it from others; the whole of it is copied, and stands in its title. */
export function ShortId({ value, label }: { value: string; label: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-0.5">
      <code title={value} className="truncate font-mono text-small">
        {shortId(value)}
      </code>
      <CopyButton text={value} label={`Copy ${label}`} />
    </span>
  );
}
