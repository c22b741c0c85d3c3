import { Fragment } from 'react';
import { CopyButton } from './copy-button.tsx';

/** A command as it is typed, to be copied. It breaks only between words. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className="flex min-w-0 items-start gap-1 rounded-control bg-sunken py-0.5 pr-1 pl-3 font-mono text-small">
      <span aria-hidden="true" className="select-none py-1.5 text-faint">
        $
      </span>
      <code className="min-w-0 flex-1 py-1.5 pl-1">
        {command.split(' ').map((word, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words of one command, which never move
          <Fragment key={index}>
            {index > 0 && ' '}
            <span className="whitespace-nowrap">{word}</span>
          </Fragment>
        ))}
      </code>
      <span className="py-0.5">
        <CopyButton text={command} label={`Copy the command ${command}`} />
      </span>
    </div>
  );
}
