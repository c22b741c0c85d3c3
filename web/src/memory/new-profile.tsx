import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNote } from '../ui/error-note.tsx';

const STARTS = [
  ['propose_only', 'Local agents may only propose', 'They read nothing until you say so.'],
  ['balanced', 'Verified agents may read preferences', 'Never health or finances; they may propose.'],
  ['none', 'Nobody may do anything', 'You write down each consent yourself.'],
] as const;
type Start = (typeof STARTS)[number][0];

/** The first step of a person who keeps no memories yet, with the consent that they begin with. */
export function NewProfile() {
  const queries = useQueryClient();
  const [template, setTemplate] = useState<Start>('propose_only');
  const creating = useMutation({
    mutationFn: () => client.call('memory.profile.create', { template }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['memory'] }),
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    creating.mutate();
  }

  return (
    <Card>
      <EmptyState icon="memory" title="You keep no memory profile yet">
        With one, agents can propose what they learn about you. Nothing is kept before you say so, and you
        erase what you like.
        <form onSubmit={submit} className="mt-6 flex flex-col gap-4 text-left">
          <fieldset className="flex flex-col gap-2.5">
            <legend className="mb-2.5 font-medium text-ink text-small">To begin with</legend>
            {STARTS.map(([value, words, more]) => (
              <label key={value} className="flex items-start gap-2.5">
                <input
                  type="radio"
                  name="template"
                  value={value}
                  checked={template === value}
                  onChange={() => setTemplate(value)}
                  className="mt-1 size-4 accent-accent-solid"
                />
                <span>
                  <span className="block text-ink">{words}</span>
                  <span className="block text-faint text-small">{more}</span>
                </span>
              </label>
            ))}
          </fieldset>
          {creating.error && <ErrorNote error={creating.error} />}
          <Button type="submit" tone="primary" busy={creating.isPending} className="self-start">
            Create my profile
          </Button>
        </form>
      </EmptyState>
    </Card>
  );
}
