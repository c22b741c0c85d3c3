import { CommandLine } from '../ui/command-line.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TextLink } from '../ui/text-link.tsx';

/** How the first package of a project is made. */
export function NoWorkYet({ project }: { project: string }) {
  const where = project === 'default' ? '' : ` --project ${project}`;
  return (
    <EmptyState icon="context" title="Nobody has deposited anything yet">
      An agent leaves here what it did, decided and left open, and the next one begins with it.{' '}
      <TextLink to="/connect">Connect an agent</TextLink>, or begin yourself:
      <div className="mt-4 text-left">
        <CommandLine command={`npx baton-ledger deposit --title "Set up the project"${where}`} />
      </div>
    </EmptyState>
  );
}
