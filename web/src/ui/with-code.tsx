/** A sentence in which `backticks` mark what is typed or sent. */
export function WithCode({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, which never move
      <code key={index} className="font-mono text-small">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
