import { parseInstant } from '../../../kernel/instant.ts';
import type { JsonDocument } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import { canSeeProject } from '../../../spine/identity/access.ts';
import { identityErrors } from '../../../spine/identity/errors.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { isProjectId, type Project } from '../../../spine/identity/projects/project.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { requireActor, sameActor } from '../access.ts';
import { contextErrors } from '../errors.ts';
import type { ContextDeps } from '../ports.ts';
import type { OpenReview } from '../review/review.ts';
import type { Package } from '../schema.ts';
import { insertLinks, isHead, selectHeads } from './link-store.ts';
import { checkPackage, findSecrets, linksOf, packageHashes, type SecretFinding } from './rules.ts';
import { type DepositPlace, insertPackage, lockPlace, markSuperseded, selectPackage } from './store.ts';
import { newPackage, packageDocument, type StoredPackage } from './stored-package.ts';

export interface DepositRequest {
  readonly projectId: string;
  /** As it was written: this is stored and hashed. */
  readonly document: JsonDocument;
  /** The typed view of the same document. */
  readonly view: Package;
  readonly principal: Principal;
  /** The hash that the sender computed. */
  readonly claimedHash?: string | undefined;
  /** Refuse unless this package is still a head. */
  readonly ifHead?: string | undefined;
  readonly allowSecrets?: boolean | undefined;
}

export interface DepositResult {
  readonly stored: StoredPackage;
  /** False if the same package existed before. */
  readonly created: boolean;
  readonly secrets: readonly SecretFinding[];
  /** False if search finds the package only by the beginning of its text. */
  readonly indexedWhole: boolean;
  /** The project's, as JSON text. */
  readonly settings: string;
}

/** A draft is not in the index at all. */
const WHOLE = { whole: true };

export type Deposit = (uow: UnitOfWork, request: DepositRequest) => Promise<DepositResult>;

export function createDeposit(
  deps: Pick<ContextDeps, 'clock' | 'hasher' | 'identity' | 'search' | 'settings' | 'record'>,
  openReview: OpenReview,
): Deposit {
  const { clock, hasher, identity, search, settings, record } = deps;

  async function projectOf(
    uow: UnitOfWork,
    { projectId, principal }: DepositRequest,
    place: DepositPlace | undefined,
  ): Promise<Pick<Project, 'archivedAt' | 'settings'>> {
    if (!canSeeProject(principal, projectId)) throw identityErrors.project_not_found();
    if (place) return place;
    if (!settings.autocreateProjects || !isProjectId(projectId)) throw identityErrors.project_not_found();
    return (await identity.ensureProject(uow, { projectId }, principal.actor)).project;
  }

  async function requireHead(uow: UnitOfWork, projectId: string, packageId: string): Promise<void> {
    if (await isHead(uow, { projectId, packageId })) return;
    const heads = await selectHeads(uow, projectId, 20);
    throw contextErrors.head_moved({ details: { heads: heads.map((head) => head.packageId) } });
  }

  function scan(request: DepositRequest, project: Pick<Project, 'settings'>): readonly SecretFinding[] {
    if (request.allowSecrets) return [];
    const findings = findSecrets(request.document.text, request.document.value);
    const blocking = (JSON.parse(project.settings) as { secrets?: string }).secrets === 'block';
    if (findings.length > 0 && blocking) {
      throw contextErrors.secret_found({ pointer: findings[0]?.pointer ?? '', details: { findings } });
    }
    return findings;
  }

  return async (uow, request) => {
    const { projectId, document, view, principal } = request;
    checkPackage(view, projectId);
    const value = document.value as JsonObject;
    const hashes = packageHashes(hasher, value);
    const hash = hashes.content;
    if (request.claimedHash !== undefined && request.claimedHash !== hash) {
      throw contextErrors.hash_mismatch({ details: { claimed: request.claimedHash, computed: hash } });
    }
    requireActor(principal, view.created_by, '/created_by');
    const packageId = view.package_id;
    const guards = [`package:${projectId}:${packageId}`];
    if (request.ifHead !== undefined) guards.push(`head:${projectId}:${request.ifHead}`);
    const place = await lockPlace(uow, guards, projectId, packageId);
    const existing = place?.taken ? await selectPackage(uow, projectId, packageId) : undefined;
    if (existing) {
      if (!canSeeProject(principal, projectId)) throw identityErrors.project_not_found();
      if (existing.depositHash !== hash && existing.contentHash !== hash) {
        throw contextErrors.duplicate_package_id({
          pointer: '/package_id',
          details: { package_id: packageId, content_hash: existing.contentHash },
        });
      }
      if (existing.tombstone !== null) throw contextErrors.package_redacted();
      return { stored: existing, created: false, secrets: [], indexedWhole: true, settings: '{}' };
    }
    const project = await projectOf(uow, request, place);
    if (project.archivedAt !== null) throw identityErrors.project_archived();
    if (request.ifHead !== undefined) await requireHead(uow, projectId, request.ifHead);
    const secrets = scan(request, project);
    const createdMicros = parseInstant(view.created_at)?.micros ?? clock.now();
    const depositor = sameActor(view.created_by, principal.actor) ? null : principal.actor;
    const stored = newPackage(view, document.text, hashes, createdMicros, clock.now(), depositor);
    await insertPackage(uow, stored);
    const links = linksOf(hasher, view);
    await insertLinks(uow, stored, createdMicros, links);
    for (const parent of links.parents) await markSuperseded(uow, projectId, parent, packageId);
    const { whole } =
      view.status === 'draft' ? WHOLE : search.index(uow, packageDocument(view, createdMicros));
    const { author } = stored;
    const actor = depositor ?? author;
    await record(uow, {
      projectId,
      by: actor,
      sessionId: stored.sessionId,
      type: 'package.deposited',
      payload: {
        package_id: packageId,
        content_hash: hash,
        body_hash: stored.bodyHash,
        status: stored.status,
        package_type: stored.packageType,
        actor_id: actor.id,
        actor_type: actor.type,
        ...(actor !== author && { author_id: author.id, author_type: author.type }),
        ...(links.parents.length > 0 && { parents: links.parents.slice(0, 50) }),
      },
    });
    if (view.status === 'awaiting_review') await openReview(uow, stored);
    return { stored, created: true, secrets, indexedWhole: whole, settings: project.settings };
  };
}
