import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { DecisionExplained } from './decision-explained.tsx';
import { NoAtlas } from './no-atlas.tsx';
import { atlasesQuery, manifestQuery, readExplanation } from './queries.ts';
import { readTrial } from './trial.ts';
import type { PolicyViewProps } from './view-props.ts';

const tiers = [
  ['', 'As the action says'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
  ['critical', 'Critical'],
] as const;

/** Asks what would be decided. Nothing is run and nothing is kept. */
export function TryView({ project }: PolicyViewProps) {
  const atlases = useQuery(atlasesQuery(project));
  return (
    <QueryView query={atlases} rows={4}>
      {(loaded) =>
        loaded.length === 0 ? (
          <Card>
            <NoAtlas project={project} />
          </Card>
        ) : (
          <TryForm key={project} project={project} atlasIds={loaded.map(({ atlas_id }) => atlas_id)} />
        )
      }
    </QueryView>
  );
}

function TryForm({ project, atlasIds }: PolicyViewProps & { atlasIds: readonly string[] }) {
  const id = useId();
  const manifests = useQueries({ queries: atlasIds.map((atlasId) => manifestQuery(project, atlasId)) });
  const actions = manifests.flatMap(({ data }) => data?.actions ?? []);
  const asking = useMutation({
    mutationFn: async (form: FormData) => {
      const { explanations } = await client.call('carp.explain', { project, ...readTrial(form) });
      return explanations.map(readExplanation);
    },
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    asking.mutate(new FormData(event.currentTarget));
  }

  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <Card title="What would happen if…">
        <form onSubmit={submit} className="flex flex-col gap-3">
          <TextField
            label="Agent"
            name="agent_id"
            required
            placeholder="support-1"
            spellCheck={false}
            autoComplete="off"
          />
          <TextField
            label="Action"
            name="action_id"
            list={`${id}-actions`}
            placeholder="Every action"
            spellCheck={false}
            autoComplete="off"
          />
          <datalist id={`${id}-actions`}>
            {actions.map(({ action_id, name }) => (
              <option key={action_id} value={action_id}>
                {name}
              </option>
            ))}
          </datalist>
          <SelectField label="Risk of the task" name="risk_tier" options={tiers} />
          <TextArea
            label="Parameters (optional)"
            name="parameters"
            rows={2}
            spellCheck={false}
            placeholder='{"amount": 40}'
          />
          <TextArea
            label="Context (optional)"
            name="context"
            rows={2}
            spellCheck={false}
            placeholder='{"region": "eu"}'
          />
          <TextField label="At (optional)" name="now" type="datetime-local" hint="Now unless given." />
          <Button type="submit" tone="primary" icon="policy" busy={asking.isPending}>
            Explain
          </Button>
          {asking.error && <ErrorNote error={asking.error} />}
        </form>
      </Card>
      <div aria-live="polite" className="flex min-w-0 flex-col gap-4">
        {asking.data ? (
          asking.data.map((explanation) => (
            <DecisionExplained key={explanation.action_id} explanation={explanation} />
          ))
        ) : (
          <div className="rounded-card border border-line border-dashed">
            <EmptyState icon="policy" title="Ask before an agent does">
              You see which rule decides, which others fit, and where each of the rest fails. Nothing is run.
            </EmptyState>
          </div>
        )}
      </div>
    </div>
  );
}
