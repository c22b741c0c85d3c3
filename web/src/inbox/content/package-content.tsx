import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { packageQuery } from '../../context/queries.ts';
import { QueryView } from '../../ui/query-view.tsx';
import type { InboxItem } from '../queries.ts';
import { BulletList, ContentSection, QuotedText } from './content-section.tsx';
import { DigestCard } from './digest-card.tsx';

export function PackageContent({ item }: { item: InboxItem }) {
  const query = useQuery(packageQuery(item.project_id, item.subject.id));
  return (
    <QueryView query={query} rows={3}>
      {({ package: given, body_hash }) => (
        <>
          {given && (
            <>
              {given.description && (
                <ContentSection title="What it says">
                  <QuotedText text={given.description} />
                </ContentSection>
              )}
              {given.decisions_made && given.decisions_made.length > 0 && (
                <ContentSection title="Decisions">
                  <BulletList items={given.decisions_made} />
                </ContentSection>
              )}
              {given.content_md && (
                <ContentSection title="Content">
                  <QuotedText text={given.content_md} />
                </ContentSection>
              )}
              <p>
                <Link
                  to="/context"
                  search={{ project: item.project_id, package: item.subject.id } as never}
                  className="font-medium text-accent underline-offset-4 hover:underline"
                >
                  Open the whole package
                </Link>
              </p>
            </>
          )}
          <DigestCard
            item={item}
            bound={
              given
                ? {
                    project_id: given.project_id,
                    package_id: given.package_id,
                    body_hash,
                    review_type: given.review_type,
                  }
                : undefined
            }
          />
        </>
      )}
    </QueryView>
  );
}
