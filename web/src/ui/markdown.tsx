import { Fragment, type ReactNode } from 'react';
import { type Block, markdownBlocks, markdownInline } from './markdown-blocks.ts';

/** Text of others with its paragraphs, lists and code. Nothing in it is run, loaded or linked. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 break-words">
      {markdownBlocks(text).map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of one text, which never move
        <Drawn key={at} block={block} />
      ))}
    </div>
  );
}

function Drawn({ block }: { block: Block }) {
  switch (block.kind) {
    case 'code':
      return (
        <pre className="whitespace-pre-wrap rounded-control bg-sunken px-2.5 py-1.5 font-mono text-small [overflow-wrap:anywhere]">
          {block.text}
        </pre>
      );
    case 'heading':
      return (
        <p className="font-semibold">
          <Inline text={block.text} />
        </p>
      );
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul';
      return (
        <List className={`pl-5 ${block.ordered ? 'list-decimal' : 'list-disc'}`}>
          {block.items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items of one text, which never move
            <li key={at}>
              <Inline text={item} />
            </li>
          ))}
        </List>
      );
    }
    case 'text':
      return (
        <p className="whitespace-pre-wrap">
          <Inline text={block.text} />
        </p>
      );
  }
}

function Inline({ text }: { text: string }): ReactNode {
  return markdownInline(text).map(({ kind, text: part }, at) => {
    const drawn =
      kind === 'code' ? (
        <code className="rounded bg-sunken px-1 font-mono text-[0.92em]">{part}</code>
      ) : kind === 'strong' ? (
        <strong>{part}</strong>
      ) : kind === 'em' ? (
        <em>{part}</em>
      ) : (
        part
      );
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which never move
    return <Fragment key={at}>{drawn}</Fragment>;
  });
}
