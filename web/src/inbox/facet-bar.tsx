import type { ReactNode } from 'react';
import { count } from '../numbers.ts';
import { SelectField } from '../ui/field.tsx';
import { RiskBars } from '../ui/risk-bars.tsx';
import type { Facets } from './queries.ts';
import { kindWords } from './state-words.ts';

export interface Narrowing {
  readonly kind?: string | undefined;
  readonly risk?: string | undefined;
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
}

interface FacetBarProps {
  readonly facets: Facets | undefined;
  readonly chosen: Narrowing;
  readonly onChange: (change: Narrowing) => void;
  /** The box that finds by words stands in the same line as what narrows. */
  readonly children: ReactNode;
}

const RISKS = ['critical', 'high', 'medium', 'low'] as const;
const CHIP =
  'inline-flex h-8 items-center gap-1.5 whitespace-nowrap rounded-control px-2.5 text-small text-soft transition-colors hover:bg-hover aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card aria-pressed:border-line border border-transparent disabled:opacity-50';

/** Each number is what choosing it would list, as the server counts it. */
export function FacetBar({ facets, chosen, onChange, children }: FacetBarProps) {
  const kinds = Object.entries(facets?.by_kind ?? {});
  const all = kinds.reduce((sum, [, n]) => sum + n, 0);
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
      <fieldset className="flex min-w-0 max-w-full flex-wrap items-center gap-1">
        <legend className="sr-only">Kind</legend>
        <Chip pressed={chosen.kind === undefined} onClick={() => onChange({ kind: undefined })}>
          All <Figure n={all} />
        </Chip>
        {kinds.map(([kind, n]) => (
          <Chip
            key={kind}
            pressed={chosen.kind === kind}
            onClick={() => onChange({ kind: chosen.kind === kind ? undefined : kind })}
          >
            {kindWords(kind)} <Figure n={n} />
          </Chip>
        ))}
      </fieldset>
      <fieldset className="flex items-center gap-1">
        <legend className="sr-only">Risk</legend>
        {RISKS.map((risk) => (
          <Chip
            key={risk}
            pressed={chosen.risk === risk}
            disabled={facets?.by_risk[risk] === 0 && chosen.risk !== risk}
            onClick={() => onChange({ risk: chosen.risk === risk ? undefined : risk })}
          >
            <RiskBars risk={risk} /> <Figure n={facets?.by_risk[risk] ?? 0} />
          </Chip>
        ))}
      </fieldset>
      <span className="flex w-full flex-wrap gap-2">
        {children}
        <Choice
          label="Agent"
          every="Every agent"
          counts={facets?.by_agent}
          chosen={chosen.agent}
          onChange={(agent) => onChange({ agent })}
        />
        <Choice
          label="Project"
          every="Every project"
          counts={facets?.by_project}
          chosen={chosen.project}
          onChange={(project) => onChange({ project })}
        />
      </span>
    </div>
  );
}

function Chip({
  pressed,
  disabled,
  onClick,
  children,
}: {
  pressed: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button type="button" aria-pressed={pressed} disabled={disabled} onClick={onClick} className={CHIP}>
      {children}
    </button>
  );
}

function Figure({ n }: { n: number }) {
  return <span className="tabular font-semibold">{count(n)}</span>;
}

interface ChoiceProps {
  readonly label: string;
  readonly every: string;
  readonly counts: Readonly<Record<string, number>> | undefined;
  readonly chosen: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ label, every, counts = {}, chosen, onChange }: ChoiceProps) {
  const names = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (names.length < 2 && chosen === undefined) return null;
  const missing = chosen !== undefined && counts[chosen] === undefined ? [[chosen, 0] as const] : [];
  return (
    <SelectField
      label={label}
      hideLabel
      className="w-44"
      value={chosen ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      options={[
        ['', every],
        ...[...names, ...missing].map(([name, n]) => [name, `${name} (${count(n)})`] as const),
      ]}
    />
  );
}
