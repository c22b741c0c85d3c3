import { counted } from '../numbers.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { effectWords } from './effect-words.ts';
import { failureWords } from './policy-words.ts';
import type { ExplainedPolicy, Explanation } from './queries.ts';

const bars = {
  allow: 'shadow-[inset_3px_0_0_var(--good),var(--shadow)]',
  deny: 'shadow-[inset_3px_0_0_var(--bad),var(--shadow)]',
  require_approval: 'shadow-[inset_3px_0_0_var(--warn),var(--shadow)]',
} as const satisfies Readonly<Record<string, string>>;

function barOf(effect: string): string {
  return Object.entries(bars).find(([name]) => name === effect)?.[1] ?? '';
}

/** Which policy won, which others fitted, and where each of the rest failed first. */
export function DecisionExplained({ explanation }: { explanation: Explanation }) {
  const { action_id, effect, winner, policies } = explanation;
  const { words, tone, icon } = effectWords(effect);
  const fitting = policies.filter(({ matched }) => matched);
  const rest = policies.filter(({ matched }) => !matched);
  const named = policies.some(({ policy_id }) => policy_id === winner);
  return (
    <article
      aria-label={`Decision about ${action_id}`}
      className={`rounded-card border border-line bg-surface ${barOf(effect)}`}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 p-4">
        <code className="font-medium font-mono">{action_id}</code>
        <Badge tone={tone} icon={icon}>
          {words}
        </Badge>
        <span className="text-soft">
          by <code className="font-mono text-small">{winner}</code>
          {!named && ', because no policy fits'}
        </span>
      </header>
      {fitting.length > 0 && (
        <ul className="divide-y divide-line border-line border-t">
          {fitting.map((policy) => (
            <PolicyLine
              key={`${policy.atlas_id} ${policy.policy_id}`}
              policy={policy}
              won={policy.policy_id === winner}
            />
          ))}
        </ul>
      )}
      {rest.length > 0 && (
        <details open={fitting.length === 0} className="border-line border-t">
          <summary className="px-4 py-2 text-small text-soft hover:text-ink">
            {counted(rest.length, 'policy', 'policies')} that did not fit
          </summary>
          <ul className="divide-y divide-line border-line border-t">
            {rest.map((policy) => (
              <PolicyLine key={`${policy.atlas_id} ${policy.policy_id}`} policy={policy} won={false} />
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

function PolicyLine({ policy, won }: { policy: ExplainedPolicy; won: boolean }) {
  return (
    <li className="grid grid-cols-[1.125rem_minmax(0,1fr)] items-baseline gap-x-3 px-4 py-2 sm:grid-cols-[1.125rem_minmax(0,14rem)_minmax(0,1fr)]">
      <Icon
        name={policy.matched ? 'check' : 'cross'}
        size={16}
        className={`translate-y-0.5 ${policy.matched ? 'text-good' : 'text-faint'}`}
      />
      <span className="min-w-0">
        <code className="block truncate font-mono text-small" title={policy.policy_id}>
          {policy.policy_id}
        </code>
        <span className="block text-faint text-small">{policy.type.replaceAll('_', ' ')}</span>
      </span>
      <span className="col-start-2 min-w-0 text-small sm:col-start-auto">
        {won ? (
          <Badge tone="accent">Decides</Badge>
        ) : policy.matched ? (
          <span className="text-soft">Also matches, but is evaluated later.</span>
        ) : (
          <span className="break-words text-soft" title={policy.failed}>
            {failureWords(policy.failed ?? '')}
          </span>
        )}
      </span>
    </li>
  );
}
