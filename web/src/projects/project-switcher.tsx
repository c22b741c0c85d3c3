import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { actorColor } from '../ui/actor-color.ts';
import { Icon } from '../ui/icon.tsx';
import { projectsQuery } from './queries.ts';
import { useProject } from './use-project.ts';

/** Which project every page shows. The one that is chosen is always among the choices. */
export function ProjectSwitcher() {
  const id = useId();
  const { data = [] } = useQuery(projectsQuery);
  const [project, choose] = useProject();
  const named = data.map(({ project_id, name }) => [project_id, name] as const);
  const options = named.some(([each]) => each === project) ? named : [[project, project] as const, ...named];
  return (
    <div className="relative flex h-9 items-center rounded-control bg-sunken pl-3 text-ink">
      <span
        aria-hidden="true"
        className="size-2.5 shrink-0 rounded-[3px]"
        style={{ background: actorColor(project) }}
      />
      <label htmlFor={id} className="sr-only">
        Project
      </label>
      <select
        id={id}
        value={project}
        onChange={(event) => choose(event.target.value)}
        className="h-full min-w-0 flex-1 appearance-none truncate rounded-control bg-transparent pr-8 pl-2.5 font-medium [&>option]:bg-raised [&>option]:text-ink"
      >
        {options.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} className="pointer-events-none absolute right-3 text-faint" />
    </div>
  );
}
