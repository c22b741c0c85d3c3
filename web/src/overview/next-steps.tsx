import { type Operations, operations } from '@baton/client';
import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';

interface CliFace {
  readonly command: string;
}

interface Step {
  readonly title: string;
  readonly why: string;
  readonly operation: keyof Operations;
  readonly rest?: string;
}

const steps: readonly Step[] = [
  {
    title: 'Give an agent its own key',
    why: 'Then the journal says which agent did what, and it can never approve its own requests.',
    operation: 'keys.create',
    rest: 'my-agent --actor-type agent',
  },
  {
    title: 'Watch from your terminal',
    why: 'The same live journal as here.',
    operation: 'journal.follow',
  },
  {
    title: 'Check the record yourself',
    why: 'Verification needs no trust in this page.',
    operation: 'journal.verify',
  },
];

export function NextSteps() {
  const shown = steps.flatMap((step) => {
    const command = commandOf(step);
    return command === undefined ? [] : [{ ...step, command }];
  });
  return (
    <Card title="Next steps">
      <ol className="flex flex-col gap-4">
        {shown.map(({ title, why, command }) => (
          <li key={title}>
            <p className="font-medium">{title}</p>
            <p className="mb-1.5 text-small text-soft">{why}</p>
            <CommandLine command={command} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Taken from the operation itself, so that no command is shown that does not exist. */
function commandOf({ operation, rest }: Step): string | undefined {
  const { cli } = operations[operation] as { cli?: CliFace | readonly CliFace[] };
  const face = [cli].flat()[0];
  return face && ['npx baton', face.command, rest].filter(Boolean).join(' ');
}
