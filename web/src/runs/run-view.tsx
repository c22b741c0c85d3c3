import { useQuery } from '@tanstack/react-query';
import { firstPage } from '../list-place.ts';
import { useView } from '../search-params.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/choice.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { GateChanges } from './gate-changes.tsx';
import type { Repository } from './queries.ts';
import { statusQuery } from './queries.ts';
import { RunDecisions } from './run-decisions.tsx';
import { RunEvents } from './run-events.tsx';
import { RunHead } from './run-head.tsx';
import { RunTurns } from './run-turns.tsx';

const views = { turns: RunTurns, decisions: RunDecisions, events: RunEvents } as const;
export function RunView({ repository }: { repository: Repository }) {
  const status = useQuery(statusQuery(repository.id));
  const [view, show] = useView(['turns', 'decisions', 'events']);
  const Chosen = views[view];
  return (
    <div className="flex flex-col gap-4">
      <QueryView query={status} rows={4}>
        {(run) => (
          <>
            <RunHead repository={repository} run={run} />
            {run.gate && <GateChanges id={repository.id} name={run.gate.name} />}
          </>
        )}
      </QueryView>
      <Choice
        label="Views"
        options={[
          ['turns', 'Turns'],
          ['decisions', 'Decisions'],
          ['events', 'Events'],
        ]}
        chosen={view}
        onChange={(next) => show(next, firstPage('rows'))}
      />
      <Card flush>
        <Chosen id={repository.id} />
      </Card>
    </div>
  );
}
