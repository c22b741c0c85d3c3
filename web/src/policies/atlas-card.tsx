import { useQuery } from '@tanstack/react-query';
import { RiskBadge } from '../inbox/risk-badge.tsx';
import { counted } from '../numbers.ts';
import { Badge } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { QueryView } from '../ui/query-view.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { effectWords } from './effect-words.ts';
import { conditionWords, inOrder } from './policy-words.ts';
import { type Action, type AtlasSummary, analysisQuery, manifestQuery, type Policy } from './queries.ts';
import { thresholdWords } from './threshold-words.ts';
import type { PolicyViewProps } from './view-props.ts';
import { windowDuration } from './window-duration.ts';

export function AtlasCard({ project, atlas }: PolicyViewProps & { atlas: AtlasSummary }) {
  const manifest = useQuery(manifestQuery(project, atlas.atlas_id));
  return (
    <article aria-label={atlas.name} className="rounded-card border border-line bg-surface shadow-card">
      <header className="p-4">
        <div className="flex flex-wrap items-center gap-2">
          <h2 className="font-semibold text-lead">{atlas.name}</h2>
          <Badge>v{atlas.version}</Badge>
          {atlas.mode === 'enforce' ? (
            <Badge tone="good" icon="verify">
              Enforced
            </Badge>
          ) : (
            <Badge tone="warn" icon="eye">
              Only logged
            </Badge>
          )}
        </div>
        <p className="mt-1 max-w-[80ch] text-soft">{atlas.description}</p>
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-faint text-small">
          <code className="font-mono">{atlas.atlas_id}</code>
          <span>{counted(atlas.action_count, 'action')}</span>
          <span>{counted(atlas.policy_count, 'policy', 'policies')}</span>
          <span>
            loaded <TimeAgo at={atlas.loaded_at} />
          </span>
          <ShortId value={atlas.digest.replace(/^jcs-sha256:/, '')} label="the digest" />
        </p>
      </header>
      <Findings project={project} atlasId={atlas.atlas_id} />
      <QueryView query={manifest} rows={4}>
        {({ policies = [], actions = [] }) => (
          <>
            <Section title="Policies, in the order in which they are asked">
              <ul className="divide-y divide-line">
                {inOrder(policies).map((policy) => (
                  <PolicyRow key={policy.policy_id} policy={policy} />
                ))}
              </ul>
            </Section>
            <Section title="Actions">
              <ul className="divide-y divide-line">
                {actions.map((action) => (
                  <ActionRow key={action.action_id} action={action} />
                ))}
              </ul>
            </Section>
          </>
        )}
      </QueryView>
    </article>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="border-line border-t">
      <h3 className="bg-sunken/60 px-4 py-1.5 font-medium text-faint text-small">{title}</h3>
      {children}
    </section>
  );
}

const ROW =
  'grid grid-cols-1 items-baseline gap-x-4 gap-y-1 px-4 py-2.5 md:grid-cols-[10.5rem_minmax(0,1fr)_minmax(0,1fr)]';

const kinds: Readonly<Record<string, string>> = {
  allow: 'Allows',
  deny: 'Denies',
  require_approval: 'Asks a person',
  rate_limit: 'Rate limit',
  budget: 'Budget',
  scope: 'Scope',
};

function PolicyRow({ policy }: { policy: Policy }) {
  const { words, tone, icon } = effectWords(policy.type);
  const conditions = conditionWords(policy.conditions);
  const thresholds = thresholdWords(policy.type, policy.parameters);
  return (
    <li className={ROW}>
      <span>
        <Badge tone={tone} icon={icon}>
          {kinds[policy.type] ?? words}
        </Badge>
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{policy.name ?? policy.policy_id}</span>
        {policy.name && (
          <code className="block truncate font-mono text-faint text-small">{policy.policy_id}</code>
        )}
      </span>
      <span className="min-w-0 text-small">
        <code className="block break-words font-mono">{(policy.actions ?? ['*']).join(', ')}</code>
        {conditions.length > 0 && (
          <span className="block break-words text-soft">if {conditions.join('; ')}</span>
        )}
        {thresholds.map((words) => (
          <span key={words} className="block break-words text-soft">
            {words}
          </span>
        ))}
        {typeof policy.parameters?.reason === 'string' && (
          <span className="block break-words text-faint">“{policy.parameters.reason}”</span>
        )}
      </span>
    </li>
  );
}

function ActionRow({ action }: { action: Action }) {
  return (
    <li className={ROW}>
      <span>
        <RiskBadge risk={action.risk_tier ?? 'low'} />
      </span>
      <span className="min-w-0">
        <span className="block font-medium">{action.name}</span>
        <code className="block truncate font-mono text-faint text-small">{action.action_id}</code>
      </span>
      <span className="min-w-0 break-words text-small text-soft">
        {action.description}
        {action.rate_limit?.max_calls !== undefined && (
          <span className="block">
            at most {counted(action.rate_limit.max_calls, 'call')}
            {action.rate_limit.window_seconds !== undefined &&
              ` in ${windowDuration(action.rate_limit.window_seconds)}`}
          </span>
        )}
      </span>
    </li>
  );
}

/** What the rules say that nobody may have meant. Not shown where it cannot be found out. */
function Findings({ project, atlasId }: PolicyViewProps & { atlasId: string }) {
  const { data } = useQuery(analysisQuery(project, atlasId));
  if (!data || data.findings.length === 0) return null;
  return (
    <details className="border-line border-t">
      <summary className="flex list-none items-center gap-2 bg-warn-soft px-4 py-2 text-small text-warn [&::-webkit-details-marker]:hidden">
        <Icon name="warning" size={16} />
        <span className="font-medium">{counted(data.findings.length, 'remark')} about these rules</span>
        <Icon name="down" size={14} />
      </summary>
      <ul className="flex list-disc flex-col gap-1 py-3 pr-4 pl-10 text-small">
        {data.findings.map(({ kind, message }) => (
          <li key={`${kind} ${message}`} className="break-words">
            {message}
          </li>
        ))}
      </ul>
    </details>
  );
}
