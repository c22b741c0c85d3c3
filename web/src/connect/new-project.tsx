import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextField } from '../ui/field.tsx';

/** A project is where work, rules and access belong together. */
export function NewProject({ onCreated }: { onCreated: (projectId: string) => void }) {
  const queries = useQueryClient();
  const creating = useMutation({
    mutationFn: (fields: { project_id: string; name?: string }) => client.call('projects.create', fields),
    onSuccess: async ({ project_id }) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['projects'] }),
        queries.invalidateQueries({ queryKey: ['whoami'] }),
      ]);
      onCreated(project_id);
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const name = String(fields.get('name') ?? '').trim();
    creating.mutate({ project_id: String(fields.get('project_id')).trim(), ...(name && { name }) });
  }
  return (
    <form
      onSubmit={submit}
      aria-label="New project"
      className="mt-3 flex flex-wrap items-end gap-3 border-line border-t pt-3"
    >
      <TextField
        label="Id"
        name="project_id"
        required
        placeholder="shop"
        spellCheck={false}
        autoComplete="off"
        className="min-w-0 flex-1 basis-40"
      />
      <TextField label="Name (optional)" name="name" placeholder="Shop" className="min-w-0 flex-1 basis-40" />
      <Button type="submit" tone="primary" busy={creating.isPending}>
        Create it
      </Button>
      {creating.error && (
        <div className="w-full">
          <ErrorNote error={creating.error} />
        </div>
      )}
    </form>
  );
}
