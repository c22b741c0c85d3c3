import { useState } from 'react';
import { Choice } from '../ui/choice.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { type ClientName, commandFor, curlText, mcpEntryText } from './recipes.ts';

interface RecipeProps {
  readonly client: ClientName;
  readonly token: string;
  readonly project: string;
}

/** The key, which is shown this once, and the ways of using it. */
export function Recipe({ client, token, project }: RecipeProps) {
  const access = { url: location.origin, token, project };
  const command = commandFor(client, access);
  const [way, setWay] = useState<'command' | 'mcp' | 'http'>(command ? 'command' : 'mcp');
  const entry = mcpEntryText(access);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-start gap-1 rounded-control bg-sunken p-3">
        <code className="min-w-0 flex-1 break-all font-mono text-small">{token}</code>
        <CopyButton text={token} label="Copy the key" />
      </div>
      <p className="text-faint text-small">Shown once: Baton keeps only its hash.</p>
      <Choice
        small
        label="How it is connected"
        options={[
          ...(command ? [['command', 'Command'] as const] : []),
          ['mcp', 'MCP entry'],
          ['http', 'HTTP'],
        ]}
        chosen={way}
        onChange={setWay}
      />
      {way === 'command' && command && (
        <>
          <CommandLine command={command} />
          <p className="text-faint text-small">
            Run it in the repository; it asks for the key, adds the tools and the hooks, and tests them.
          </p>
        </>
      )}
      {way === 'mcp' && (
        <div className="flex items-start gap-1 rounded-control bg-sunken p-3">
          <pre className="min-w-0 flex-1 overflow-x-auto font-mono text-small">{entry}</pre>
          <CopyButton text={entry} label="Copy the entry" />
        </div>
      )}
      {way === 'http' && <CommandLine command={curlText(access)} />}
    </div>
  );
}
