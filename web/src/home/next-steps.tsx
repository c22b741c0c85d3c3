import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { TextLink } from '../ui/text-link.tsx';
import type { Step } from './use-steps.ts';

interface NextStepsProps {
  readonly steps: readonly Step[];
  /** Above everything else, for whoever has nothing to look at yet. */
  readonly wide?: boolean;
}

/** What to do first. A step goes when it is done, and the card with the last of them. */
export function NextSteps({ steps, wide = false }: NextStepsProps) {
  if (steps.length === 0) return null;
  return (
    <Card title="Next steps">
      <ol className={wide ? 'grid grid-cols-1 gap-x-6 gap-y-4 md:grid-cols-2' : 'flex flex-col gap-4'}>
        {steps.map(({ title, why, command, page }) => (
          <li key={title}>
            <p className="font-medium">{title}</p>
            <p className="mb-1.5 text-small text-soft">
              {why}{' '}
              {page && (
                <TextLink to={page.to} {...(page.search && { search: page.search })}>
                  {page.words}
                </TextLink>
              )}
            </p>
            <CommandLine command={command} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
