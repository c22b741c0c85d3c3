import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../ui/field.tsx';
import { projectsQuery } from './queries.ts';

interface ProjectPickerProps {
  readonly project: string;
  readonly onChange: (project: string) => void;
}

/** The one that is chosen is always among the choices, whether or not the list is known yet. */
export function ProjectPicker({ project, onChange }: ProjectPickerProps) {
  const { data = [] } = useQuery(projectsQuery);
  const named = data.map(({ project_id, name }) => [project_id, name] as const);
  const options = named.some(([id]) => id === project) ? named : [[project, project] as const, ...named];
  return (
    <SelectField
      label="Project"
      className="flex items-center gap-2 [&_label]:mb-0 [&_select]:w-48"
      options={options}
      value={project}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
