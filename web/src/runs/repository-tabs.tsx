import { useQuery } from '@tanstack/react-query';
import { repositoryName } from './phases.ts';
import { type Repository, statusQuery } from './queries.ts';
import { RunStatusBadge } from './run-status-badge.tsx';

interface RepositoryTabsProps {
  readonly repositories: readonly Repository[];
  readonly chosen: string;
  readonly onChange: (id: string) => void;
}

/** One button a repository, with where its run stands. A single one needs none. */
export function RepositoryTabs({ repositories, chosen, onChange }: RepositoryTabsProps) {
  if (repositories.length < 2) return null;
  return (
    <fieldset className="mb-4 grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-3">
      <legend className="sr-only">Repositories</legend>
      {repositories.map((repository) => (
        <RepositoryTab
          key={repository.id}
          repository={repository}
          pressed={repository.id === chosen}
          onPress={() => onChange(repository.id)}
        />
      ))}
    </fieldset>
  );
}

interface RepositoryTabProps {
  readonly repository: Repository;
  readonly pressed: boolean;
  readonly onPress: () => void;
}

function RepositoryTab({ repository, pressed, onPress }: RepositoryTabProps) {
  const { data } = useQuery(statusQuery(repository.id));
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="flex items-center justify-between gap-3 rounded-card border border-line bg-surface p-3.5 text-left shadow-card transition-colors hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-accent-soft"
    >
      <span className="min-w-0">
        <span className="block truncate font-medium">{repositoryName(repository.root)}</span>
        <span className="block truncate text-faint text-small">{data?.phase ?? ' '}</span>
      </span>
      {data && <RunStatusBadge status={data.status} />}
    </button>
  );
}
