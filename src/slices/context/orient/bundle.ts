import { formatMillis } from '../../../kernel/instant.ts';
import { utf8Length } from '../../../kernel/json/utf8.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import { currentFactText, type StoredFact } from '../facts/stored-fact.ts';
import { packageText, type StoredPackage } from '../packages/stored-package.ts';
import { projectBody } from '../projects/schema.ts';
import { type Anchor, anchorsIn, type Fact } from '../schema.ts';
import type { OrientationData, Rendered } from './gather.ts';
import { withinBudget } from './rules.ts';
import type { OpenQuestion } from './store.ts';

const FACTS_SHARE = 0.3;
const QUESTIONS_SHARE = 0.2;
/** Member names, brackets, counts. */
const FRAME_BYTES = 400;

/** The protocol's OrientationBundle, within a number of bytes; members that we add begin with `x-`. */
export function orientationBundle(gathered: OrientationData, maxBytes: number): Rendered {
  const project = JSON.stringify(projectBody(gathered.project));
  let left = maxBytes - utf8Length(project) - FRAME_BYTES;
  // Each question is in there twice: as the protocol wants it, and with its origin.
  const questions = withinBudget(
    gathered.questions,
    (asked) => JSON.stringify(asked.question) + questionText(asked),
    left * QUESTIONS_SHARE,
  );
  left -= questions.bytes;
  const facts = withinBudget(gathered.facts, currentFactText, left * FACTS_SHARE);
  left -= facts.bytes;
  const handoffs = withinBudget(gathered.handoffs, handoffText, left * FACTS_SHARE);
  left -= handoffs.bytes;
  const packages = withinBudget(gathered.packages, packageText, left);
  left -= packages.bytes;
  const anchors = withinBudget(
    anchored([...handoffs.kept, ...packages.kept], facts.kept),
    (anchor) => JSON.stringify(anchor),
    left,
  );
  const dropped = {
    packages: packages.dropped + gathered.tooLarge.packages,
    facts: facts.dropped + gathered.tooLarge.facts,
    questions: questions.dropped,
    handoffs: handoffs.dropped + gathered.tooLarge.handoffs,
    anchors: anchors.dropped,
  };
  const text = [
    `{"project":${project}`,
    `"recent_packages":[${packages.kept.map(packageText).join(',')}]`,
    `"active_facts":[${facts.kept.map(currentFactText).join(',')}]`,
    `"open_questions":${JSON.stringify(questions.kept.map((asked) => asked.question))}`,
    `"window_days":${gathered.windowDays}`,
    `"generated_at":${JSON.stringify(gathered.generatedAt)}`,
    `"x-handoffs":[${handoffs.kept.map(handoffText).join(',')}]`,
    `"x-open-questions":[${questions.kept.map(questionText).join(',')}]`,
    `"x-anchors":${JSON.stringify(anchors.kept)}`,
    `"x-forks":${gathered.forks}`,
    `"x-left-out":${JSON.stringify(dropped)}}`,
  ].join(',');
  return { text, packages: packages.kept, facts: facts.kept };
}

export function questionText(asked: OpenQuestion): string {
  return JSON.stringify({
    question: asked.question,
    package_id: asked.packageId,
    asked_at: formatMillis(asked.askedMicros),
    asked_by: asked.askedBy,
  });
}

function handoffText(stored: StoredPackage): string {
  const given = JSON.parse(packageText(stored)) as { handoff_note?: unknown; estimated_next_actor?: unknown };
  return JSON.stringify({
    package_id: stored.packageId,
    title: stored.title,
    handoff_note: given.handoff_note ?? '',
    estimated_next_actor: given.estimated_next_actor ?? null,
    from: stored.author,
    created_at: stored.createdAt,
  });
}

/** A file, and who relied on it for what. */
export interface Anchored extends Anchor {
  readonly kind: 'package' | 'fact';
  readonly id: string;
  readonly about: string;
  readonly by: Actor | null;
  readonly at: string;
}

export function anchored(packages: readonly StoredPackage[], facts: readonly StoredFact[]): Anchored[] {
  const distinct = new Map(packages.map((stored) => [stored.packageId, stored]));
  return [...[...distinct.values()].flatMap(ofPackage), ...facts.flatMap(ofFact)];
}

function ofPackage(stored: StoredPackage): Anchored[] {
  return anchorsIn(packageText(stored)).map((anchor) => ({
    ...anchor,
    kind: 'package',
    id: stored.packageId,
    about: stored.title,
    by: stored.author,
    at: stored.createdAt,
  }));
}

function ofFact(fact: StoredFact): Anchored[] {
  const anchors = anchorsIn(fact.wire);
  if (anchors.length === 0) return [];
  const { asserted_by: by } = JSON.parse(fact.wire) as Fact;
  return anchors.map((anchor) => ({
    ...anchor,
    kind: 'fact',
    id: fact.factId,
    about: `${fact.subject} ${fact.predicate}`,
    by: by ? { id: by.id, type: by.type } : null,
    at: fact.validFrom,
  }));
}
