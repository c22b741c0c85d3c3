import { useQuery } from '@tanstack/react-query';
import { maySee, useMe } from '../../api/session.ts';
import { counted } from '../../numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Modal } from '../../ui/modal.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { shortDate } from '../../ui/time-words.ts';
import { withinWords } from './bound-words.ts';
import { draftedQuery, type Replayed, type StandingAnswer } from './queries.ts';
import { DraftLink } from './standing-strip.tsx';

const decisions: Readonly<Record<Replayed['decision'], string>> = {
  approved: 'approved',
  edited: 'approved otherwise',
  rejected: 'rejected',
  waiting: 'waits',
};

const outcomes: Readonly<Record<Replayed['after'], { words: string; mark: string; tone: string }>> = {
  allow: { words: 'allowed', mark: 'rounded-full bg-mark-allow', tone: 'text-good' },
  require_approval: { words: 'still asks', mark: 'rotate-45 bg-mark-ask', tone: 'text-warn' },
  deny: { words: 'denied', mark: 'bg-mark-deny', tone: 'text-bad' },
};

/** Each such request that was decided or waits, with what the drafted rule would have done about it. */
export function ReplayModal({ answer, onClose }: { answer: StandingAnswer; onClose: () => void }) {
  const me = useMe();
  const query = useQuery(draftedQuery(answer.id));
  return (
    <Modal
      open
      wide
      onClose={onClose}
      title="What the rule would have decided"
      description={`${answer.agent_id} may run ${answer.action_id} without asking where: ${withinWords(answer)}.`}
    >
      <QueryView query={query} rows={6}>
        {({ replayed }) => {
          const changed = replayed.filter(({ after }) => after === 'allow').length;
          return (
            <>
              <p className="text-small text-soft">
                Of {counted(replayed.length, 'request')} to {answer.policy_id}, {changed} would not have
                asked; {replayed.length - changed} would have asked all the same.
                {answer.unseen && ' The rule does not look at parameters that none of these had.'}
              </p>
              <ul
                aria-label="Decided again"
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keyboard
                tabIndex={0}
                className="max-h-[44vh] divide-y divide-line overflow-y-auto rounded-control border border-line"
              >
                {replayed.map((each) => (
                  <Row key={each.approval_id} each={each} />
                ))}
              </ul>
            </>
          );
        }}
      </QueryView>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        {maySee(me, 'atlas:read') && <DraftLink answer={answer} />}
      </div>
    </Modal>
  );
}

function Row({ each }: { each: Replayed }) {
  const { words, mark, tone } = outcomes[each.after];
  const values = Object.entries(each.parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5 text-small">
      <span className="tabular w-24 shrink-0 text-faint">
        {each.decided_at && shortDate(each.decided_at)}
      </span>
      <span className="min-w-0 flex-1 basis-40 truncate" title={values.join(', ')}>
        {values.join(' · ')}
      </span>
      <span className="text-soft">
        {decisions[each.decision]}
        {each.decided_by && ` by ${each.decided_by}`}
      </span>
      <span className={`inline-flex w-24 items-center gap-2 font-medium ${tone}`}>
        <span aria-hidden="true" className={`size-2 ${mark}`} />
        {words}
      </span>
    </li>
  );
}

const valueText = (value: unknown) =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
