import { BulletList, ContentSection, QuotedText } from '../inbox/content/content-section.tsx';
import { ActorName } from '../ui/actor-name.tsx';
import { Badge } from '../ui/badge.tsx';
import { FactsList } from '../ui/facts-list.tsx';
import { FullHash } from '../ui/hash.tsx';
import { ShortId } from '../ui/short-id.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { StatusBadge, TypeBadge } from './package-badges.tsx';
import type { Envelope } from './queries.ts';

interface PackageSummaryProps {
  readonly envelope: Envelope;
  readonly id: string;
  readonly onOpen: (packageId: string) => void;
}

export function PackageSummary({ envelope, id, onOpen }: PackageSummaryProps) {
  const { package: given, superseded_by: later } = envelope;
  return (
    <div className="flex flex-col gap-5">
      {given && (
        <div className="flex flex-wrap gap-2">
          <TypeBadge type={given.package_type} />
          <StatusBadge status={given.status} />
          {(given.tags ?? []).map((tag) => (
            <Badge key={tag}>#{tag}</Badge>
          ))}
        </div>
      )}
      {later && (
        <p className="rounded-control bg-warn-soft px-3 py-2 text-warn">
          A later package takes its place:{' '}
          <button
            type="button"
            onClick={() => onOpen(later)}
            className="font-medium underline underline-offset-4"
          >
            open it
          </button>
        </p>
      )}
      {given?.description && <QuotedText text={given.description} />}
      {given?.handoff_note && (
        <ContentSection title="Handoff">
          <QuotedText text={given.handoff_note} />
        </ContentSection>
      )}
      {given?.decisions_made && given.decisions_made.length > 0 && (
        <ContentSection title="Decided">
          <BulletList items={given.decisions_made} />
        </ContentSection>
      )}
      {given?.open_questions && given.open_questions.length > 0 && (
        <ContentSection title="Left open">
          <BulletList items={given.open_questions} />
        </ContentSection>
      )}
      {given?.content_md && (
        <ContentSection title="Content">
          <QuotedText text={given.content_md} />
        </ContentSection>
      )}
      {given?.deliverables && given.deliverables.length > 0 && (
        <ContentSection title="Produced">
          <ul className="flex flex-col gap-1">
            {given.deliverables.map(({ path, type }) => (
              <li key={path} className="flex flex-wrap gap-x-2">
                <code className="break-all font-mono text-small">{path}</code>
                <span className="text-faint text-small">{type}</span>
              </li>
            ))}
          </ul>
        </ContentSection>
      )}
      <FactsList
        facts={[
          ...(given
            ? ([
                ['Written by', <ActorName key="by" id={given.created_by.id} type={given.created_by.type} />],
                ['Written', <TimeAgo key="at" at={given.created_at} />],
                ...(given.significance ? [['Significance', `${given.significance} of 10`] as const] : []),
              ] as const)
            : []),
          ['Id', <ShortId key="id" value={id} label="the package’s id" />],
          ['Hash', <FullHash key="now" value={envelope.content_hash} label="the content hash" />],
          // Only the life cycle changes it: a review, or a redaction.
          ...(envelope.deposit_hash === envelope.content_hash
            ? []
            : [
                [
                  'As deposited',
                  <FullHash key="then" value={envelope.deposit_hash} label="the deposit hash" />,
                ] as const,
              ]),
          ['Hash of the body', <FullHash key="body" value={envelope.body_hash} label="the body hash" />],
        ]}
      />
    </div>
  );
}
