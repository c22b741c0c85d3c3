import { formatMillis } from '../../../kernel/instant.ts';
import type { Actor, Principal } from '../../../spine/identity/principal.ts';
import type { Project } from '../../../spine/identity/projects/project.ts';
import { BYTES_PER_TOKEN } from '../../../spine/search/rules/text-budget.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { selectFacts } from '../facts/store.ts';
import { currentFactText, type StoredFact } from '../facts/stored-fact.ts';
import { selectLatest } from '../packages/list-store.ts';
import { PACKAGES, type PlacedPackage, packageText, type StoredPackage } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import type { Package } from '../schema.ts';
import { questionText } from './bundle.ts';
import { LARGEST_READ, type Rendered } from './gather.ts';
import { BUNDLE_TOKENS, recordDelivered } from './orient.ts';
import { withinBudget } from './rules.ts';
import type { DigestQuery, Snippet } from './schema.ts';
import { projectsFor, visibleHits } from './search.ts';
import { countOpenQuestions, type OpenQuestion, selectCounts, selectOpenQuestions } from './store.ts';
import { addTallies, emptyTally, tallyPackages } from './tally-store.ts';

const DAY_MICROS = 86_400 * 1e6;
const WINDOW_DAYS = 14;
const SNIPPETS = 25;
const LATEST_PER_PROJECT = 50;
const MOST_FACTS = 200;
const MOST_QUESTIONS = 100;

/** Returns the protocol's DigestBundle as JSON text, and records that it was delivered if it is of a single project. */
export function createDigest(deps: ContextDeps) {
  const { db, clock, search } = deps;

  async function snippetsFor(
    principal: Principal,
    projects: readonly Project[],
    { focus, snippets: limit = SNIPPETS }: DigestQuery,
  ): Promise<Snippet[]> {
    if (!focus || limit === 0 || projects.length === 0) return [];
    const projectIds = projects.map(({ projectId }) => projectId);
    const hits = await search.searchIn(db, { projectIds, collections: [PACKAGES], query: focus, limit });
    const shown = await db.read((reader) => visibleHits(reader, hits, principal, clock.now()));
    return shown.map(({ hit }) => ({
      package_id: hit.id,
      project_id: hit.projectId,
      field: hit.best.field,
      text: hit.best.snippet,
      score: hit.score,
    }));
  }

  return async (principal: Principal, query: DigestQuery): Promise<string> => {
    const projectId = query.project ?? query.project_id;
    const projects = await db.read((reader) => projectsFor(reader, deps, principal, projectId));
    const snippets = await snippetsFor(principal, projects, query);
    const request = { projectId, projects, seenBy: principal.actor, query, snippets, now: clock.now() };
    const made = await db.read((reader) => digest(reader, request));
    if (projectId !== undefined) {
      await recordDelivered(deps, principal, made, { type: 'digest.delivered', projectId });
    }
    return made.text;
  };
}

interface DigestRequest {
  /** Undefined means everything the caller can see. */
  readonly projectId: string | undefined;
  readonly projects: readonly Project[];
  readonly seenBy: Actor;
  readonly query: DigestQuery;
  readonly snippets: readonly Snippet[];
  readonly now: number;
}

/** Counts and decisions within a window, what is true, what is open, what is near the focus. */
async function digest(reader: Reader, request: DigestRequest): Promise<Rendered> {
  const { now, projects, query } = request;
  const {
    window_days: windowDays = WINDOW_DAYS,
    min_significance: minSignificance = 1,
    focus = null,
  } = query;
  const maxBytes = (query.max_tokens ?? BUNDLE_TOKENS) * BYTES_PER_TOKEN;
  const sinceMicros = now - windowDays * DAY_MICROS;
  const packages: PlacedPackage[] = [];
  const facts: StoredFact[] = [];
  const questions: OpenQuestion[] = [];
  const counts: Record<string, unknown>[] = [];
  let tally = emptyTally;
  const leftOut = { packages: 0, facts: 0 };
  for (const { projectId, name } of projects) {
    const latest = await selectLatest(reader, {
      projectId,
      seenBy: request.seenBy,
      sinceMicros,
      minSignificance,
      drafts: false,
      limit: LATEST_PER_PROJECT,
      largest: LARGEST_READ,
    });
    const within = { projectId, sinceMicros, minSignificance };
    const asked = await selectOpenQuestions(reader, { ...within, limit: MOST_QUESTIONS });
    tally = addTallies(tally, await tallyPackages(reader, within));
    packages.push(...latest.packages);
    questions.push(...asked);
    const known = await selectFacts(reader, {
      projectId,
      asOfMicros: now,
      limit: MOST_FACTS,
      largest: maxBytes,
    });
    facts.push(...known.facts);
    leftOut.packages += latest.leftOut;
    leftOut.facts += known.leftOut;
    counts.push({
      project_id: projectId,
      name,
      ...(await selectCounts(reader, projectId, { sinceMicros, now })),
      open_questions: await countOpenQuestions(reader, within),
    });
  }
  packages.sort((a, b) => b.createdMicros - a.createdMicros || b.seq - a.seq);
  const share = maxBytes / 4;
  const decisions = withinBudget(packages.flatMap(decisionsOf), (one) => JSON.stringify(one), share);
  const keptFacts = withinBudget(facts, currentFactText, share);
  const keptQuestions = withinBudget(questions, (asked) => asked.question + questionText(asked), share);
  const snippets = withinBudget(request.snippets, (snippet) => JSON.stringify(snippet), share);
  const text = [
    `{"scope":${JSON.stringify(request.projectId === undefined ? 'global' : 'project')}`,
    `"project_id":${JSON.stringify(request.projectId ?? null)}`,
    `"focus":${JSON.stringify(focus)}`,
    `"window":${JSON.stringify({ days: windowDays, from: formatMillis(sinceMicros), to: formatMillis(now) })}`,
    `"summary":${JSON.stringify({ ...tally.summary, decisions: decisions.kept })}`,
    `"active_facts":[${keptFacts.kept.map(currentFactText).join(',')}]`,
    `"open_questions":${JSON.stringify(keptQuestions.kept.map((asked) => asked.question))}`,
    `"snippets":${JSON.stringify(snippets.kept)}`,
    `"project_counts":${JSON.stringify(counts)}`,
    `"generated_at":${JSON.stringify(formatMillis(now))}`,
    `"x-left-out":${JSON.stringify({ tallied: tally.untallied, decisions: decisions.dropped, packages: leftOut.packages, facts: keptFacts.dropped + leftOut.facts })}`,
    `"x-open-questions":[${keptQuestions.kept.map(questionText).join(',')}]}`,
  ].join(',');
  return { text, packages, facts: keptFacts.kept };
}

interface DecisionLine {
  readonly project_id: string;
  readonly package_id: string;
  readonly by: Actor;
  readonly at: string;
  readonly decision: string;
}

function decisionsOf(stored: StoredPackage): DecisionLine[] {
  const { decisions_made } = JSON.parse(packageText(stored)) as Package;
  return (decisions_made ?? []).map((decision) => ({
    project_id: stored.projectId,
    package_id: stored.packageId,
    by: stored.author,
    at: stored.createdAt,
    decision,
  }));
}
