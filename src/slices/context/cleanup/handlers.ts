import { toPlain } from '../../../kernel/json/plain.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import type { CleanupReport } from '../../../spine/operations/cleanup-report.ts';
import type { Handlers } from '../../../spine/operations/handler.ts';
import type { Reader } from '../../../spine/storage/database.ts';
import { requireReadableProject } from '../access.ts';
import { selectFacts } from '../facts/store.ts';
import { selectLatest } from '../packages/list-store.ts';
import { findSecrets } from '../packages/rules.ts';
import { packageDocument, packageText, type StoredPackage } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import type { Package } from '../schema.ts';
import type { cleanupOperations } from './operations.ts';
import { findFactRot, findPackageRot, type KeptFact, type KeptPackage, type RotFound } from './rules.ts';

/** What one report looks at: the newest. */
const MOST_PACKAGES = 500;
const MOST_FACTS = 2_000;
const SHOWN = 160;

export function createCleanupHandlers({
  clock,
}: Pick<ContextDeps, 'clock'>): Handlers<typeof cleanupOperations> {
  return {
    'context.cleanup': async (reader, { input: { path, query }, principal }) => ({
      body: await report(reader, principal, path.project_id, query.imported === true, clock.now()),
    }),
  };
}

async function report(
  reader: Reader,
  principal: Principal,
  projectId: string,
  importedOnly: boolean,
  now: number,
): Promise<CleanupReport> {
  await requireReadableProject(reader, principal, projectId);
  const latest = await selectLatest(reader, {
    projectId,
    seenBy: principal.actor,
    limit: MOST_PACKAGES,
    outdated: false,
  });
  // Of what was imported nobody's credential is known.
  const stored = latest.packages.filter(({ depositor }) => !importedOnly || depositor === null);
  const packages: KeptPackage[] = [];
  for (const each of stored) {
    packages.push(keptPackage(each));
    await reader.giveTurn();
  }
  const page = importedOnly
    ? { facts: [], leftOut: 0 }
    : await selectFacts(reader, { projectId, asOfMicros: now, limit: MOST_FACTS });
  const facts = page.facts.map(
    (fact): KeptFact => ({
      id: fact.factId,
      subject: fact.subject,
      predicate: fact.predicate,
      value: fact.value,
      fromMicros: fact.fromMicros,
      hasSecret: findSecrets(fact.wire, readJson(fact.wire)).length > 0,
    }),
  );
  const texts = new Map([
    ...packages.map(({ id, title }) => [`package ${id}`, title] as const),
    ...facts.map((fact) => [`fact ${fact.id}`, `${fact.subject} ${fact.predicate}: ${fact.value}`] as const),
  ]);
  const shown = ({ kind, of, ids, why, proposal }: RotFound) => ({
    kind,
    things: ids.map((id) => ({
      kind: of,
      id,
      text: kind === 'secret' ? '' : (texts.get(`${of} ${id}`) ?? '').slice(0, SHOWN),
    })),
    why,
    proposal: proposal && { ...proposal, input: { ...proposal.input, project: projectId } },
  });
  return {
    looked_at: packages.length + facts.length,
    more: latest.more || page.facts.length === MOST_FACTS,
    findings: [...findPackageRot(packages), ...findFactRot(facts)].map(shown),
  };
}

function keptPackage(stored: StoredPackage): KeptPackage {
  const text = packageText(stored);
  const value = readJson(text);
  const { fields } = packageDocument(toPlain(value) as unknown as Package, stored.createdMicros);
  return {
    id: stored.packageId,
    title: stored.title,
    text: fields.map((field) => field.text).join('\n'),
    hasSecret: findSecrets(text, value).length > 0,
  };
}
