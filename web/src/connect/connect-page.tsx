import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../api/client.ts';
import { projectsQuery } from '../projects/queries.ts';
import { useProject } from '../projects/use-project.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { FirstCall } from './first-call.tsx';
import { NewProject } from './new-project.tsx';
import { Recipe } from './recipe.tsx';
import { type ClientName, clientNames } from './recipes.ts';

/** From nothing to an agent that has called: a project, a key of its own, and the moment at which it is heard. */
export function ConnectPage() {
  const [project, choose] = useProject();
  const { data: projects = [] } = useQuery(projectsQuery);
  const [creating, setCreating] = useState(false);
  const [client_, setClient] = useState<ClientName>('claude-code');
  const making = useMakeKey();
  const made = making.data;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const actor = String(new FormData(event.currentTarget).get('actor_id') ?? '').trim();
    making.mutate({ actor, project });
  }

  return (
    <>
      <PageHeader
        title="Connect an agent"
        lead="It gets a key of its own, so that the journal shows what it did, and so that it can never approve what it asked for."
      />
      <div className="grid max-w-4xl grid-cols-1 gap-4">
        <Card title="1. Where it works">
          <div className="flex flex-wrap items-end gap-3">
            <SelectField
              label="Its project"
              className="min-w-0 flex-1 basis-56"
              options={projects.map(({ project_id, name }) => [project_id, name])}
              value={project}
              onChange={(event) => choose(event.target.value)}
            />
            <Button icon="plus" aria-expanded={creating} onClick={() => setCreating(!creating)}>
              New project
            </Button>
          </div>
          {creating && (
            <NewProject
              onCreated={(id) => {
                setCreating(false);
                choose(id);
              }}
            />
          )}
        </Card>
        <Card title="2. What it is called">
          <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
            <SelectField
              label="Client"
              className="min-w-0 flex-1 basis-44"
              options={clientNames}
              value={client_}
              onChange={(event) => setClient(event.target.value as ClientName)}
            />
            <TextField
              key={client_}
              label="Name"
              name="actor_id"
              required
              maxLength={255}
              defaultValue={client_ === 'other' ? '' : client_}
              spellCheck={false}
              autoComplete="off"
              className="min-w-0 flex-1 basis-44"
            />
            <Button type="submit" tone={made ? 'plain' : 'primary'} icon="key" busy={making.isPending}>
              {made ? 'Make another key' : 'Make its key'}
            </Button>
          </form>
          {making.error && (
            <div className="mt-3">
              <ErrorNote error={making.error} />
            </div>
          )}
        </Card>
        {made && (
          <>
            <Card title="3. How it reaches Baton">
              <Recipe client={client_} token={made.token} project={made.project} />
            </Card>
            <FirstCall key={made.actor} project={made.project} actor={made.actor} since={made.at} />
          </>
        )}
      </div>
    </>
  );
}

function useMakeKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ actor, project }: { actor: string; project: string }) => {
      const at = new Date().toISOString();
      const { token } = await client.call('keys.create', {
        actor_id: actor,
        actor_type: 'agent',
        label: 'made on the page',
        projects: [project],
        default_project: project,
      });
      return { actor, project, at, token: token ?? '' };
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  });
}
