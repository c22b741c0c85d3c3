import { Icon } from '../ui/icon.tsx';
import { type PhaseStep, phaseSteps } from './phases.ts';

interface PhaseTrackProps {
  readonly phases: readonly string[];
  readonly current: string;
  readonly status: string;
}

const looks: Readonly<Record<PhaseStep['state'], { bar: string; text: string; said: string }>> = {
  done: { bar: 'bg-good', text: 'text-soft', said: 'done' },
  now: { bar: 'bg-accent', text: 'font-semibold text-accent', said: 'now' },
  ahead: { bar: 'bg-line', text: 'text-faint', said: 'ahead' },
};

export function PhaseTrack({ phases, current, status }: PhaseTrackProps) {
  return (
    <ol aria-label="Phases" className="flex flex-wrap gap-2 border-line border-y px-4 py-3">
      {phaseSteps(phases, current, status).map(({ name, state }) => (
        <li key={name} aria-current={state === 'now' ? 'step' : undefined} className="min-w-28 flex-1">
          <span aria-hidden="true" className={`block h-1 rounded-full ${looks[state].bar}`} />
          <span className={`mt-1.5 flex items-center gap-1.5 text-small ${looks[state].text}`}>
            {state === 'done' && <Icon name="check" size={14} className="text-good" />}
            {name}
            <span className="sr-only"> ({looks[state].said})</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
