import type { ComponentType } from 'react';
import type { InboxItem } from '../queries.ts';
import { ActionContent } from './action-content.tsx';
import { BatchContent } from './batch-content.tsx';
import { DigestCard } from './digest-card.tsx';
import { GateContent } from './gate-content.tsx';
import { PackageContent } from './package-content.tsx';
import { ProposalContent } from './proposal-content.tsx';
import { QuestionContent } from './question-content.tsx';

const contents: Readonly<Record<string, ComponentType<{ item: InboxItem }>>> = {
  package_review: PackageContent,
  carp_approval: ActionContent,
  memory_proposal: ProposalContent,
  memory_batch: BatchContent,
  question: QuestionContent,
  gate: GateContent,
  needs_human: GateContent,
  escalation: GateContent,
};

/** What exactly is approved: the content itself, and the digest that binds the decision to it. */
export function ApprovedContent({ item }: { item: InboxItem }) {
  const Content = contents[item.kind];
  return Content ? <Content item={item} /> : <DigestCard item={item} />;
}
