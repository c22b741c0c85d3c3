import type { Actor } from '../../../spine/identity/principal.ts';
import type { StoredFact } from '../facts/stored-fact.ts';
import { packageText, type StoredPackage } from '../packages/stored-package.ts';
import type { Fact } from '../schema.ts';
import { type Anchor, anchorsIn } from '../schema.ts';

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
