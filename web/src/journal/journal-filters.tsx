import { type FormEvent, useId } from 'react';
import { useMe } from '../api/session.ts';
import { useLiveJournal } from '../live/use-live-journal.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';

interface Filters {
  readonly project: string | undefined;
  readonly type: string | undefined;
}

/** Applied on Enter, and when a suggestion is taken. */
export function JournalFilters({ project, type, onChange }: Filters & { onChange: (next: Filters) => void }) {
  const id = useId();
  const { projects, types } = useSuggestions();

  function apply(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim() || undefined;
    onChange({ project: text('project'), type: text('type') });
  }

  return (
    <search>
      <form
        key={`${project} ${type}`}
        onSubmit={apply}
        className="grid grid-cols-1 items-end gap-3 min-[520px]:grid-cols-[minmax(0,14rem)_minmax(0,18rem)_auto] min-[520px]:justify-start"
      >
        <TextField
          label="Project"
          name="project"
          placeholder="All projects"
          defaultValue={project ?? ''}
          list={`${id}-projects`}
        />
        <TextField
          label="Event type"
          name="type"
          placeholder="All types, or inbox.*"
          defaultValue={type ?? ''}
          list={`${id}-types`}
          spellCheck={false}
        />
        <span className="flex gap-2">
          <Button type="submit" icon="filter">
            Filter
          </Button>
          {(project ?? type) !== undefined && (
            <Button tone="quiet" onClick={() => onChange({ project: undefined, type: undefined })}>
              Clear
            </Button>
          )}
        </span>
        <datalist id={`${id}-projects`}>
          {projects.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <datalist id={`${id}-types`}>
          {types.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      </form>
    </search>
  );
}

/** What this page has seen; anything else can be typed. */
function useSuggestions() {
  const me = useMe();
  const { entries } = useLiveJournal();
  const projects = new Set([me.default_project, ...me.projects, ...entries.map((entry) => entry.project_id)]);
  projects.delete('*');
  const types = new Set<string>();
  for (const { event } of entries) {
    types.add(`${event.event_type.split('.')[0]}.*`);
    types.add(event.event_type);
  }
  return { projects: [...projects].sort(), types: [...types].sort() };
}
