import { counted } from '../numbers.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { inOrder } from './policy-words.ts';
import { type ComparedRule, type RuleChange, ruleSentence, type Sentence } from './rule-sentence.ts';

interface DraftRulesProps {
  readonly rules: readonly ComparedRule[];
  /** The text is no JSON now; these are the rules of when it last was. */
  readonly old: boolean;
  /** Another version is loaded, with which this is compared. */
  readonly comparing: boolean;
}

const edges: Readonly<Record<Sentence['verb'], string>> = {
  Deny: 'border-mark-deny text-bad',
  Ask: 'border-mark-ask text-warn',
  Allow: 'border-mark-allow text-good',
  Limit: 'border-line-strong text-ink',
  Budget: 'border-line-strong text-ink',
  Scope: 'border-line-strong text-ink',
};

const changes: Readonly<Record<Exclude<RuleChange, 'same'>, { words: string; tone: Tone }>> = {
  new: { words: 'New', tone: 'good' },
  changed: { words: 'Changed', tone: 'accent' },
  removed: { words: 'Removed', tone: 'bad' },
};

/** The rules of the draft in the order in which they are asked, as sentences. */
export function DraftRules({ rules, old, comparing }: DraftRulesProps) {
  const differing = rules.filter(({ change }) => change !== 'same').length;
  const ordered = inOrder(rules.map((rule) => ({ ...rule, ...rule.policy })));
  return (
    <Card
      flush
      title="Rules, in the order they are asked"
      aside={
        <span className="text-faint text-small">
          {old
            ? 'as they last were'
            : comparing
              ? counted(differing, 'rule differs', 'rules differ')
              : counted(rules.length, 'rule')}
        </span>
      }
    >
      <ul aria-label="Rules of the draft" className="mt-1 divide-y divide-line border-line border-t">
        {ordered.map(({ policy, before, change }) => {
          const { verb, words } = ruleSentence(policy);
          const was = change === 'changed' && before ? ruleSentence(before).words : undefined;
          const mark = comparing && change !== 'same' ? changes[change] : undefined;
          return (
            <li
              key={policy.policy_id}
              className={`grid grid-cols-[4.5rem_minmax(0,1fr)_auto] items-start gap-3 px-4 py-2.5 ${mark ? 'bg-accent-soft/30' : ''}`}
            >
              <span className={`border-l-3 pl-2.5 font-semibold ${edges[verb]}`}>{verb}</span>
              <span className="min-w-0">
                <span className={`block break-words ${change === 'removed' ? 'line-through' : ''}`}>
                  {words}
                </span>
                {was !== undefined && was !== words && (
                  <span className="block break-words text-faint text-small line-through">{was}</span>
                )}
                <code className="block truncate font-mono text-faint text-small">{policy.policy_id}</code>
              </span>
              {mark && <Badge tone={mark.tone}>{mark.words}</Badge>}
            </li>
          );
        })}
        <li className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-3 px-4 py-2.5">
          <span className={`border-l-3 pl-2.5 font-semibold ${edges.Deny}`}>Deny</span>
          <span className="text-soft">Everything else</span>
        </li>
      </ul>
    </Card>
  );
}
