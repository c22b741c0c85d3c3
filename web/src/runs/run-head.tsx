import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { maySee, useMe } from '../api/session.ts';
import { runItemsQuery } from '../inbox/queries.ts';
import { counted } from '../numbers.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { PhaseTrack } from './phase-track.tsx';
import { repositoryName } from './phases.ts';
import type { Repository, RunStatus } from './queries.ts';
import { RunStatusBadge } from './run-status-badge.tsx';

/** Where the run stands, what it waits for, and the one command that leads on. */
export function RunHead({ repository, run }: { repository: Repository; run: RunStatus }) {
  return (
    <article
      aria-label={`Run of ${repositoryName(repository.root)}`}
      className="rounded-card border border-line bg-surface shadow-card"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 p-4">
        <h2 className="font-semibold text-lead">{repositoryName(repository.root)}</h2>
        <RunStatusBadge status={run.status} />
        <span className="text-small text-soft">{counted(run.accepted_turns, 'turn')} accepted</span>
      </header>
      <PhaseTrack phases={run.phases} current={run.phase} status={run.status} />
      <div className="grid grid-cols-1 gap-5 p-4 lg:grid-cols-2">
        <FactsList
          facts={[
            ...(run.run_id
              ? [['Run', <ShortId key="run" value={run.run_id} label="the run’s id" />] as const]
              : []),
            ['Next role', run.next_role ?? (run.gate?.requires_human_approval ? 'a person' : 'none')],
            ...(run.active_turns.length > 0
              ? [['At work', run.active_turns.map(turnWords).join(', ')] as const]
              : []),
            ...(run.blocked_on
              ? [
                  [
                    'Waiting for',
                    <span key="blocked" className="break-words" title={run.blocked_on}>
                      {blockedWords(run.blocked_on)}
                    </span>,
                  ] as const,
                ]
              : []),
            [
              'Directory',
              <code key="root" className="break-all font-mono text-small">
                {repository.root}
              </code>,
            ],
          ]}
        />
        <div className="flex min-w-0 flex-col gap-3">
          {run.gate && <Gate gate={run.gate} />}
          <WaitingItem repository={repository} />
          <div>
            <p className="mb-1 font-medium text-small">Next, in the repository</p>
            <CommandLine command={run.next.replace(/^baton\b/, 'npx baton-ledger')} />
          </div>
        </div>
      </div>
    </article>
  );
}

/** `human_approval:planning_signoff` is for programs. */
function blockedWords(blocked: string): string {
  const [, what = '', which] = /^([a-z_]+)(?::(.+))?$/.exec(blocked) ?? [];
  if (what === '') return blocked;
  const words = what === 'human_approval' ? 'a person’s approval' : what.replaceAll('_', ' ');
  return which === undefined ? words : `${words} of ${which}`;
}

function turnWords(turn: Readonly<Record<string, unknown>>): string {
  return `${String(turn.assigned_role ?? turn.role ?? 'a role')} (${String(turn.status ?? 'assigned').replaceAll('_', ' ')})`;
}

function Gate({ gate }: { gate: NonNullable<RunStatus['gate']> }) {
  return (
    <section aria-label={`Gate ${gate.name}`} className="rounded-control bg-sunken p-3">
      <h3 className="flex items-center gap-2 font-medium">
        <Icon
          name={gate.passes_now ? 'check' : 'cross'}
          size={16}
          className={gate.passes_now ? 'text-good' : 'text-faint'}
        />
        Gate {gate.name}
      </h3>
      <p className="mt-0.5 text-small text-soft">
        {gate.passes_now ? 'Its checks pass.' : 'Its checks do not pass yet.'}
        {gate.requires_human_approval && ' A person opens it.'}
      </p>
      {gate.reasons.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-small">
          {gate.reasons.map((reason) => (
            <li key={reason} className="break-words">
              {reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function WaitingItem({ repository }: { repository: Repository }) {
  const enabled = maySee(useMe(), 'inbox:read');
  const { data } = useQuery({ ...runItemsQuery(repository.project_id), enabled });
  const waiting = data?.filter(({ subject }) => subject.id.startsWith(`${repository.id}/`)) ?? [];
  return waiting.map((item) => (
    <Link
      key={item.id}
      to="/inbox"
      search={{ item: item.id } as never}
      className="flex items-center gap-2 rounded-control bg-warn-soft px-3 py-2 font-medium text-warn"
    >
      <Icon name="inbox" size={16} />
      <span className="min-w-0 flex-1 truncate">{item.title}</span>
      {item.can_decide ? 'Decide' : 'Waits for somebody else'}
      <Icon name="right" size={14} />
    </Link>
  ));
}
