import { jsonTokens } from './json-tokens.ts';

const colours = {
  key: 'text-accent',
  text: 'text-good',
  number: 'text-info',
  word: 'text-warn',
  mark: 'text-faint',
} as const;

interface JsonViewProps {
  readonly value: unknown;
  readonly label: string;
  /** For what must be seen to its end. */
  readonly wrap?: boolean;
}

/** JSON to be read: indented and coloured by kind. Its text is shown as it is, never run or linked. */
export function JsonView({ value, label, wrap = false }: JsonViewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section aria-label={label} tabIndex={0} className="overflow-x-auto rounded-control bg-sunken p-3">
      <pre
        className={`font-mono text-small leading-5 ${wrap ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : ''}`}
      >
        {jsonTokens(value).map((token, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity and never move
          <span key={index} className={colours[token.kind]}>
            {token.text}
          </span>
        ))}
      </pre>
    </section>
  );
}
