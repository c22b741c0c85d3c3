import { Card } from '../ui/card.tsx';
import { CommandLine } from '../ui/command-line.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useSteps } from './use-steps.ts';

/** What to do first. A step goes when it is done, and the card with the last of them. */
export function NextSteps({ project }: { project: string }) {
  const steps = useSteps(project);
  if (steps.length === 0) return null;
  return (
    <Card title="Next steps">
      <ol className="flex flex-col gap-4">
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
