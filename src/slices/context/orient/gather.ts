import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { selectFacts } from '../facts/store.ts';
import type { StoredFact } from '../facts/stored-fact.ts';
import { countLines, hasChild } from '../packages/link-store.ts';
import { selectLatest } from '../packages/list-store.ts';
import type { StoredPackage } from '../packages/stored-package.ts';
import { type OpenQuestion, selectOpenQuestions } from './store.ts';

export interface GatherRequest {
  readonly project: Project;
  readonly seenBy: Actor;
  readonly windowDays: number;
  readonly limit: number;
  readonly minSignificance: number;
  readonly now: number;
  /** In bytes, of a package or fact: what is larger is only counted. */
  readonly largest: number;
}

/** What somebody new to a project needs to know. */
export interface OrientationData {
  readonly project: Project;
  readonly windowDays: number;
  readonly now: number;
  readonly generatedAt: string;
  readonly packages: readonly StoredPackage[];
  readonly facts: readonly StoredFact[];
  readonly questions: readonly OpenQuestion[];
  /** Handed over and not yet taken up: nothing has been built on them. */
  readonly handoffs: readonly StoredPackage[];
  /** Parallel lines of work among the newest packages, beyond the first. */
  readonly forks: number;
  readonly tooLarge: { readonly packages: number; readonly facts: number; readonly handoffs: number };
}

/** A text for the reader, and what of the project it contains. */
export interface Rendered {
  readonly text: string;
  readonly packages: readonly StoredPackage[];
  readonly facts: readonly StoredFact[];
}

const DAY_MICROS = 86_400 * 1e6;
const MOST_FACTS = 200;
const MOST_QUESTIONS = 100;
const MOST_HANDOFFS = 5;
const NEWEST_FOR_FORKS = 200;
/** In bytes, of what is not shown whole: a longer one would have to be read for a few lines of it. */
export const LARGEST_READ = 1024 * 1024;

export async function gather(reader: Reader, request: GatherRequest): Promise<OrientationData> {
  const { project, seenBy, windowDays, now, largest } = request;
  const { projectId } = project;
  const sinceMicros = now - windowDays * DAY_MICROS;
  const shown = {
    projectId,
    seenBy,
    sinceMicros,
    drafts: false,
    outdated: false,
    minSignificance: request.minSignificance,
    largest,
  };
  const recent = await selectLatest(reader, { ...shown, limit: request.limit });
  const lines = await countLines(reader, projectId, NEWEST_FOR_FORKS);
  const taken = new Set<string>();
  const handing = await selectLatest(reader, {
    ...shown,
    handoff: true,
    limit: MOST_HANDOFFS * 3,
    largest: LARGEST_READ,
  });
  for (const stored of handing.packages) {
    if (await hasChild(reader, stored)) taken.add(stored.packageId);
  }
  const facts = await selectFacts(reader, { projectId, asOfMicros: now, limit: MOST_FACTS, largest });
  return {
    project,
    windowDays,
    now,
    generatedAt: formatMillis(now),
    packages: recent.packages,
    facts: facts.facts,
    questions: await selectOpenQuestions(reader, {
      projectId,
      sinceMicros,
      minSignificance: request.minSignificance,
      limit: MOST_QUESTIONS,
    }),
    handoffs: handing.packages.filter((stored) => !taken.has(stored.packageId)).slice(0, MOST_HANDOFFS),
    forks: Math.max(0, lines - 1),
    tooLarge: { packages: recent.leftOut, facts: facts.leftOut, handoffs: handing.leftOut },
  };
}
