import type { z } from 'zod';
import { requireProject, subjectOf } from '../../identity/access.ts';
import type { Principal } from '../../identity/principal.ts';
import { requireStoredProject, setArchived } from '../../identity/projects/project-store.ts';
import { insertSession, markEnded, selectSession } from '../../identity/sessions/session-store.ts';
import { decodeBase64 } from '../../kernel/base64.ts';
import { isUuidShaped } from '../../kernel/ids.ts';
import { spliceMembers } from '../../kernel/json/compact.ts';
import { toPlain } from '../../kernel/json/plain.ts';
import { readDocument } from '../../kernel/json/reader.ts';
import type { UnitOfWork } from '../../storage/database.ts';
import { insertAttestation } from '../attest/attestation-store.ts';
import { insertBlob } from '../blobs/blob-store.ts';
import type { ContextParts, RecordLedger } from '../context.ts';
import { endFact, insertFact, keyHash, selectCurrent, selectFact } from '../facts/fact-store.ts';
import { factDocument } from '../facts/searchable.ts';
import { insertLinks } from '../packages/link-store.ts';
import { bury, insertPackage, selectPackage, updateStanding } from '../packages/package-store.ts';
import { packageDocument } from '../packages/searchable.ts';
import type { StoredPackage } from '../packages/stored-package.ts';
import { insertForeignSession } from '../projects/foreign-sessions.ts';
import type { OpenReview } from '../review/review.ts';
import { insertEntry, selectEntries } from '../review/review-store.ts';
import { linksOf } from '../rules/links.ts';
import { checkPackage } from '../rules/wire-rules.ts';
import { factSchema } from '../schema.ts';
import {
  type ImportedPackage,
  type ImportItem,
  microsOf,
  readImportedPackage,
  refused,
} from './import-package.ts';
import { blobLine, projectLine, sessionLine, tombstoneLine } from './lines.ts';

export interface ImportBatch {
  readonly projects?: readonly string[] | undefined;
  readonly sessions?: readonly string[] | undefined;
  readonly packages?:
    | readonly (ImportItem & { readonly attestations?: readonly string[] | undefined })[]
    | undefined;
  readonly tombstones?: readonly string[] | undefined;
  readonly facts?: readonly string[] | undefined;
  readonly blobs?: readonly string[] | undefined;
}

export interface ImportCounts {
  projects: number;
  sessions: number;
  packages: number;
  reviews: number;
  facts: number;
  blobs: number;
  unchanged: number;
  warnings: string[];
}

export type ImportAll = (uow: UnitOfWork, batch: ImportBatch, principal: Principal) => Promise<ImportCounts>;

const DEFAULT_SIGNIFICANCE = 5;

/** Takes a batch as a whole: whatever does not hold together throws, and the unit is undone. */
export function createImport(
  parts: Pick<ContextParts, 'clock' | 'hasher' | 'identity' | 'journal' | 'search'>,
  record: RecordLedger,
  openReview: OpenReview,
): ImportAll {
  const { clock, hasher, identity, journal, search } = parts;

  async function importProject(uow: UnitOfWork, line: string, principal: Principal): Promise<boolean> {
    const { project_id, id, name, description, settings, created_at, archived_at, ...extra } = parsed(
      projectLine,
      line,
    );
    const projectId = String(project_id ?? id ?? '');
    requireProject(principal, projectId);
    const { created } = await identity.ensureProject(
      uow,
      {
        projectId,
        name,
        description: description ?? null,
        settings: JSON.stringify(settings ?? {}),
        extra: JSON.stringify(extra),
        ...(created_at && { createdAt: { text: created_at, micros: microsOf(created_at) } }),
      },
      principal.actor,
    );
    if (created && archived_at)
      await setArchived(uow, projectId, { at: archived_at, micros: microsOf(archived_at) });
    return created;
  }

  async function importSession(uow: UnitOfWork, line: string, principal: Principal): Promise<boolean> {
    const given = parsed(sessionLine, line);
    const projectId = String(given.project_id);
    await visibleProject(uow, principal, projectId);
    const sessionId = String(given.session_id);
    if (!isUuidShaped(sessionId)) {
      await insertForeignSession(uow, { projectId, sessionId, callsign: given.callsign ?? null, line });
      return true;
    }
    if (await selectSession(uow, sessionId)) return false;
    const actor = { id: String(given.actor_id), type: given.actor_type };
    const ledgerChainId = `${hasher.hex(`ledger:${sessionId}`).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')}`;
    const session = {
      sessionId,
      projectId,
      callsign: given.callsign ?? null,
      actor,
      agentId: null,
      goal: null,
      atlasId: null,
      description: null,
      status: 'active' as const,
      standing: false,
      createdAt: given.started_at,
      createdMicros: microsOf(given.started_at),
      endedAt: null,
      endReason: null,
      parentSessionId: null,
      ledgerChainId,
      traceId: sessionId,
      rootSpanId: sessionId,
      metadata: null,
      subject: subjectOf(actor),
    };
    await insertSession(uow, session);
    await journal.openChains(uow, { sessionId, ledgerId: ledgerChainId, projectId, traceId: sessionId });
    if (given.ended_at) {
      const end = { at: given.ended_at, micros: microsOf(given.ended_at), reason: 'completed' as const };
      await markEnded(uow, sessionId, end);
    }
    return true;
  }

  async function importPackage(
    uow: UnitOfWork,
    item: ImportItem & { readonly attestations?: readonly string[] | undefined },
    principal: Principal,
    counts: ImportCounts,
  ): Promise<void> {
    const read = readImportedPackage(hasher, item);
    counts.warnings.push(...read.warnings);
    const { view } = read;
    const projectId = view.project_id;
    await visibleProject(uow, principal, projectId);
    checkPackage(view, projectId, true);
    const existing = await selectPackage(uow, projectId, view.package_id);
    const stored = existing ?? (await insertWhole(uow, read, principal));
    if (!existing) counts.packages += 1;
    else if (existing.bodyHash !== read.bodyHash) {
      throw refused(`Another package has the id ${view.package_id}.`, { package_id: view.package_id });
    }
    const advanced = await advance(uow, stored, read, counts);
    if (existing && !advanced) counts.unchanged += 1;
    for (const envelope of item.attestations ?? []) {
      await insertAttestation(uow, stored, envelope, hasher.hex(envelope));
    }
    if (view.status === 'awaiting_review' && view.review_type !== 'none' && (advanced || !existing)) {
      const now = (await selectPackage(uow, projectId, view.package_id)) as StoredPackage;
      if (now.status === 'awaiting_review') await openReview(uow, now);
    }
  }

  async function insertWhole(
    uow: UnitOfWork,
    read: ImportedPackage,
    principal: Principal,
  ): Promise<StoredPackage> {
    const { view, deposited } = read;
    const before = toPlain(deposited.value) as typeof view;
    const createdMicros = microsOf(view.created_at);
    const fresh = {
      projectId: view.project_id,
      packageId: view.package_id,
      original: deposited.text,
      depositHash: read.depositHash,
      bodyHash: read.bodyHash,
      status: before.status,
      reviewType: before.review_type,
      packageType: view.package_type,
      title: view.title,
      createdAt: view.created_at,
      createdMicros,
      author: { id: view.created_by.id, type: view.created_by.type },
      sessionId: view.created_by.session_id ?? null,
      significance: view.significance ?? DEFAULT_SIGNIFICANCE,
      handoff: view.package_type === 'handoff' || Boolean(view.handoff_note),
      depositedMicros: clock.now(),
    };
    await insertPackage(uow, fresh);
    await insertLinks(uow, fresh, createdMicros, linksOf(hasher, view));
    if (view.status !== 'draft') search.index(uow, packageDocument(view, createdMicros));
    await record(uow, {
      projectId: fresh.projectId,
      by: principal.actor,
      type: 'package.deposited',
      payload: {
        package_id: fresh.packageId,
        content_hash: read.depositHash,
        body_hash: read.bodyHash,
        status: fresh.status,
        package_type: fresh.packageType,
        actor_id: principal.actor.id,
        actor_type: principal.actor.type,
        author_id: fresh.author.id,
        author_type: fresh.author.type,
        imported: true,
      },
    });
    return (await selectPackage(uow, fresh.projectId, fresh.packageId)) as StoredPackage;
  }

  /** Adds what the other log has beyond ours; logs that part ways are no history of one package. */
  async function advance(
    uow: UnitOfWork,
    stored: StoredPackage,
    read: ImportedPackage,
    counts: ImportCounts,
  ): Promise<boolean> {
    const own = await selectEntries(uow, stored);
    const shared = Math.min(own.length, read.reviews.length);
    const parted = own.slice(0, shared).some((entry, i) => entry.entry_hash !== read.reviews[i]?.entry_hash);
    if (parted)
      throw refused(`The review logs of ${stored.packageId} part ways.`, { package_id: stored.packageId });
    if (read.reviews.length <= own.length) return false;
    let at = stored;
    const added = read.reviews.slice(own.length);
    for (const [i, entry] of added.entries()) {
      const last = i === added.length - 1;
      const moved = {
        status: entry.to,
        reviewType: entry.review_type_after,
        contentHash: entry.new_hash,
        current: last && read.current !== null ? read.current : (at.current ?? at.original ?? ''),
      };
      if (!(await updateStanding(uow, at, moved))) throw refused('A package changed meanwhile.', {});
      await insertEntry(uow, { ...entry, project_id: stored.projectId });
      at = { ...at, ...moved, logSeq: entry.seq };
      counts.reviews += 1;
    }
    return true;
  }

  async function importTombstone(uow: UnitOfWork, line: string, principal: Principal): Promise<boolean> {
    const given = parsed(tombstoneLine, line);
    const projectId = String(given.project_id);
    await visibleProject(uow, principal, projectId);
    const packageId = String(given.package_id);
    const { deposit_hash, status, review_type, package_type, created_at, created_by, parents, ...tombstone } =
      given;
    const existing = await selectPackage(uow, projectId, packageId);
    if (existing && existing.bodyHash !== tombstone.body_hash) {
      throw refused(`Another package has the id ${packageId}.`, { package_id: packageId });
    }
    if (existing?.tombstone != null) return false;
    if (!existing) {
      const fresh = {
        projectId,
        packageId,
        original: '{}',
        depositHash: String(deposit_hash),
        bodyHash: String(tombstone.body_hash),
        status,
        reviewType: review_type,
        packageType: String(package_type),
        title: '',
        createdAt: String(created_at),
        createdMicros: microsOf(created_at),
        author: { id: String(created_by.id), type: created_by.type },
        sessionId: null,
        significance: DEFAULT_SIGNIFICANCE,
        handoff: false,
        depositedMicros: clock.now(),
      };
      await insertPackage(uow, fresh);
      await insertLinks(uow, fresh, fresh.createdMicros, {
        parents: parents ?? [],
        questions: [],
        resolves: [],
        refs: [],
      });
    }
    const stored = (await selectPackage(uow, projectId, packageId)) as StoredPackage;
    await bury(uow, stored, withoutMembers(line, BESIDE_TOMBSTONE));
    await uow.run('update packages set content_hash = ? where project_id = ? and package_id = ?', [
      String(tombstone.content_hash),
      projectId,
      packageId,
    ]);
    search.remove(uow, { projectId, collection: 'package', id: packageId });
    return true;
  }

  async function importFact(uow: UnitOfWork, line: string, principal: Principal): Promise<boolean> {
    const document = readDocument(line);
    const checked = factSchema.safeParse(toPlain(document.value));
    if (!checked.success) {
      const issue = checked.error.issues[0];
      throw refused(`A fact does not fit: ${issue?.message} at /${issue?.path.join('/')}.`, {
        line: line.slice(0, 200),
      });
    }
    const fact = checked.data;
    const { project_id: projectId, fact_id: factId, subject, predicate, value } = fact;
    await visibleProject(uow, principal, projectId);
    const validTo = fact.valid_to ?? null;
    const invalidatedBy = (fact as Record<string, unknown>)['x-invalidated_by'];
    const end =
      validTo === null
        ? undefined
        : {
            at: validTo,
            micros: microsOf(validTo),
            invalidatedBy: invalidatedBy === undefined ? null : JSON.stringify(invalidatedBy),
          };
    const fromMicros = microsOf(fact.valid_from);
    if (end && end.micros < fromMicros)
      throw refused(`Fact ${factId} ends before it begins.`, { fact_id: factId });
    const existing = await selectFact(uow, projectId, factId);
    if (existing) {
      if (existing.value !== value || existing.fromMicros !== fromMicros) {
        throw refused(`Another fact has the id ${factId}.`, { fact_id: factId });
      }
      if (existing.validTo !== null || !end) return false;
      await endFact(uow, existing, end);
      search.remove(uow, { projectId, collection: 'fact', id: factId });
      return true;
    }
    const key = keyHash(hasher, { projectId, subject, predicate });
    const current = end ? undefined : await selectCurrent(uow, projectId, key);
    if (current) {
      throw refused(`${subject} ${predicate} is current here and there.`, {
        here: current.factId,
        there: factId,
      });
    }
    const wire = spliceMembers(
      document,
      new Map([
        ['valid_to', null],
        ['x-invalidated_by', null],
      ]),
    );
    const fresh = {
      projectId,
      factId,
      subject,
      predicate,
      value,
      wire,
      validFrom: fact.valid_from,
      fromMicros,
      validTo,
      toMicros: end?.micros ?? null,
      createdMicros: microsOf(fact.created_at),
      invalidatedBy: end?.invalidatedBy ?? null,
    };
    await insertFact(uow, { ...fresh, key });
    if (!end) search.index(uow, factDocument(fresh));
    await record(uow, {
      projectId,
      by: principal.actor,
      type: 'fact.asserted',
      payload: {
        fact_id: factId,
        supersedes: null,
        actor_id: principal.actor.id,
        actor_type: principal.actor.type,
        imported: true,
      },
    });
    return true;
  }

  async function importBlob(uow: UnitOfWork, line: string, principal: Principal): Promise<boolean> {
    const { project_id, sha256, media_type, bytes_base64 } = parsed(blobLine, line);
    const projectId = String(project_id);
    await visibleProject(uow, principal, projectId);
    const bytes = decodeBase64(String(bytes_base64));
    if (!bytes || hasher.hex(bytes) !== sha256)
      throw refused(`Blob ${sha256} does not match its hash.`, { sha256 });
    return insertBlob(uow, projectId, { sha256, mediaType: String(media_type), bytes }, clock.now());
  }

  async function visibleProject(uow: UnitOfWork, principal: Principal, projectId: string): Promise<void> {
    requireProject(principal, projectId);
    await requireStoredProject(uow, projectId);
  }

  return async (uow, batch, principal) => {
    const counts: ImportCounts = {
      projects: 0,
      sessions: 0,
      packages: 0,
      reviews: 0,
      facts: 0,
      blobs: 0,
      unchanged: 0,
      warnings: [],
    };
    const count = (kind: 'projects' | 'sessions' | 'packages' | 'facts' | 'blobs', fresh: boolean) => {
      counts[fresh ? kind : 'unchanged'] += 1;
    };
    for (const line of batch.projects ?? []) count('projects', await importProject(uow, line, principal));
    for (const line of batch.sessions ?? []) count('sessions', await importSession(uow, line, principal));
    for (const item of batch.packages ?? []) await importPackage(uow, item, principal, counts);
    for (const line of batch.tombstones ?? []) count('packages', await importTombstone(uow, line, principal));
    for (const line of batch.facts ?? []) count('facts', await importFact(uow, line, principal));
    for (const line of batch.blobs ?? []) count('blobs', await importBlob(uow, line, principal));
    return counts;
  };
}

/** What an export puts beside a tombstone, for the row that it stands in. */
const BESIDE_TOMBSTONE = [
  'deposit_hash',
  'status',
  'review_type',
  'package_type',
  'created_at',
  'created_by',
  'parents',
];

function withoutMembers(line: string, names: readonly string[]): string {
  return spliceMembers(readDocument(line), new Map(names.map((name) => [name, null])));
}

function parsed<S extends z.ZodType>(schema: S, line: string): z.output<S> {
  const checked = schema.safeParse(toPlain(readDocument(line).value));
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw refused(`A line does not fit: ${issue?.message} at /${issue?.path.join('/')}.`, {
    line: line.slice(0, 200),
  });
}
