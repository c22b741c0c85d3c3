import { useEffect, useState } from 'react';
import { Icon } from './icon.tsx';

/** Copies a text; says so, also to those who do not see it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (outcome === 'idle') return;
    const timer = setTimeout(() => setOutcome('idle'), 1600);
    return () => clearTimeout(timer);
  }, [outcome]);
  const said = { idle: label, copied: 'Copied', refused: 'Copying is not allowed here; select the text' }[
    outcome
  ];
  return (
    <button
      type="button"
      aria-label={label}
      title={said}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setOutcome('copied'),
          () => setOutcome('refused'),
        );
      }}
      className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-faint transition-colors hover:bg-hover hover:text-ink"
    >
      <Icon
        name={outcome === 'copied' ? 'check' : 'copy'}
        size={15}
        {...(outcome === 'copied' && { className: 'text-good' })}
      />
      <span aria-live="polite" className="sr-only">
        {outcome === 'idle' ? '' : said}
      </span>
    </button>
  );
}
