import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../projects/queries.ts';
import { SelectField } from '../ui/field.tsx';
import { CHOICES, choiceOf, KIND_WORDS, KINDS, OTHER, type Rule, withChoice } from './rule-choices.ts';

/** What is told when: for all projects, or for one that differs. */
export function RuleFields({
  rules,
  onChange,
}: {
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
}) {
  const { data: projects = [] } = useQuery(projectsQuery);
  const [project, setProject] = useState('*');
  return (
    <fieldset className="flex flex-col gap-3 rounded-control border border-line p-3">
      <legend className="px-1 font-medium text-small">What it tells</legend>
      <SelectField
        label="In"
        options={[
          ['*', 'All projects'],
          ...projects.map(({ project_id, name }) => [project_id, `Only in ${name}`] as const),
        ]}
        value={project}
        onChange={(event) => setProject(event.target.value)}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        {KINDS.map((kind) => {
          const chosen = choiceOf(rules, project, kind);
          const inherited = project === '*' ? [] : ([['', 'As in all projects']] as const);
          const other = chosen === OTHER ? ([[OTHER, 'As set elsewhere']] as const) : [];
          return (
            <SelectField
              key={`${project} ${kind}`}
              label={KIND_WORDS[kind]}
              options={[...inherited, ...other, ...CHOICES[kind]]}
              value={chosen}
              onChange={(event) => onChange(withChoice(rules, project, kind, event.target.value))}
            />
          );
        })}
      </div>
    </fieldset>
  );
}
