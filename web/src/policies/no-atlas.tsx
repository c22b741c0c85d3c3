import { useMe } from '../api/session.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextLink } from '../ui/text-link.tsx';
import type { PolicyViewProps } from './view-props.ts';

/** The command names the project where the credential's own would be another. */
export function NoAtlas({ project }: PolicyViewProps) {
  const me = useMe();
  const where = project === me.default_project ? '' : ` --project ${project}`;
  return (
    <EmptyState icon="policy" title="No Atlas is loaded">
      An Atlas is a directory with an <code className="font-mono text-small">atlas.json</code>: actions, and
      the policies about them. Until one is loaded, agents get no action at all.{' '}
      <TextLink to="/policies" search={{ view: 'workbench' }}>
        Load one here
      </TextLink>
      , or in a terminal:
      <div className="mt-4 text-left">
        <CommandLine command={`npx baton-ledger atlas load ./my-atlas${where}`} />
      </div>
    </EmptyState>
  );
}
