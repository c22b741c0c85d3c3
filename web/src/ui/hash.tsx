import { CopyButton } from './copy-button.tsx';

/** The whole of it, where exactness is what the reader came for. */
export function FullHash({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex min-w-0 items-start gap-1">
      <code className="min-w-0 break-all py-1 font-mono text-small leading-5">{value}</code>
      <CopyButton text={value} label={`Copy ${label}`} />
    </span>
  );
}
