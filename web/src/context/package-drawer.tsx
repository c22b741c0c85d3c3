import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Choice } from '../ui/choice.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { WhyLink } from '../ui/why-link.tsx';
import { PackageAttestations } from './package-attestations.tsx';
import { PackageLineage } from './package-lineage.tsx';
import { PackageReviews } from './package-reviews.tsx';
import { PackageSummary } from './package-summary.tsx';
import { PackageText } from './package-text.tsx';
import { packageQuery } from './queries.ts';

interface PackageDrawerProps {
  readonly project: string;
  readonly id: string;
  readonly onOpen: (packageId: string) => void;
  readonly onClose: () => void;
}

const parts = [
  ['summary', 'Summary'],
  ['text', 'JSON'],
  ['lineage', 'Lineage'],
  ['reviews', 'Reviews'],
  ['attestations', 'Signatures'],
] as const;

export function PackageDrawer({ project, id, onOpen, onClose }: PackageDrawerProps) {
  const query = useQuery(packageQuery(project, id));
  const [part, setPart] = useState<(typeof parts)[number][0]>('summary');
  const envelope = query.data;
  return (
    <Drawer
      open
      onClose={onClose}
      title={envelope?.package?.title ?? (envelope?.redacted ? 'A package that was redacted' : 'Package')}
      description={`Package of the project ${project}`}
      actions={<WhyLink id={id} kind="package" />}
    >
      <Choice label="Parts of the package" options={parts} chosen={part} onChange={setPart} />
      <div className="mt-4">
        {part === 'text' ? (
          <PackageText project={project} id={id} />
        ) : part === 'lineage' ? (
          <PackageLineage project={project} id={id} onOpen={onOpen} />
        ) : part === 'reviews' ? (
          <PackageReviews project={project} id={id} />
        ) : part === 'attestations' ? (
          <PackageAttestations project={project} id={id} />
        ) : envelope ? (
          <PackageSummary envelope={envelope} id={id} onOpen={onOpen} />
        ) : query.error ? (
          <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <SkeletonRows rows={6} className="h-10" />
        )}
      </div>
    </Drawer>
  );
}
