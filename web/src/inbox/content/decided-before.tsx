import { useQuery } from '@tanstack/react-query';
import { counted } from '../../numbers.ts';
import { decidedAlikeQuery, type InboxItem } from '../queries.ts';
import { ContentSection } from './content-section.tsx';

const MARKS = {
  approve: 'bg-mark-allow',
  approve_with_edits: 'bg-mark-ask',
  reject: 'bg-mark-deny',
} as const;

/** What people decided about requests like this one, the oldest first. */
export function DecidedBefore({ item }: { item: InboxItem }) {
  const { data } = useQuery({ ...decidedAlikeQuery(item.like ?? ''), enabled: item.like !== null });
  const decisions = (data?.items ?? []).flatMap(({ id, decision }) =>
    decision ? [{ id, ...decision }] : [],
  );
  if (decisions.length === 0) return null;
  const times = (which: keyof typeof MARKS) => decisions.filter(({ decision }) => decision === which).length;
  const words = [
    `${times('approve')} approved`,
    ...(times('approve_with_edits') > 0 ? [`${times('approve_with_edits')} with other values`] : []),
    `${times('reject')} rejected`,
  ].join(', ');
  const more = (data?.total ?? 0) - (data?.items.length ?? 0);
  return (
    <ContentSection title={`The last ${counted(decisions.length, 'decision')} about requests like this`}>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <span aria-hidden="true" className="flex flex-wrap gap-[3px]">
          {decisions.toReversed().map(({ id, decision }) => (
            <span
              key={id}
              className={`h-3.5 w-2 rounded-xs ${MARKS[decision as keyof typeof MARKS] ?? 'bg-line-strong'}`}
            />
          ))}
        </span>
        <span className="text-soft">
          {words}
          {more > 0 && `; ${more} more before that`}
        </span>
      </span>
    </ContentSection>
  );
}
