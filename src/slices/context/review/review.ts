import { digestOf, formatDigest } from '../../../kernel/digest.ts';
import { toHex } from '../../../kernel/hex.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { spliceMembers } from '../../../kernel/json/compact.ts';
import { toPlain } from '../../../kernel/json/plain.ts';
import { readDocument } from '../../../kernel/json/reader.ts';
import type { JsonObject } from '../../../kernel/json/value.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { requireStoredProject } from '../../../spine/identity/projects/project-store.ts';
import type { Decision, InboxItem } from '../../../spine/inbox/item.ts';
import type { UnitOfWork } from '../../../spine/storage/database.ts';
import { contextErrors } from '../errors.ts';
import { contentHash, withStanding } from '../packages/rules.ts';
import { isVisibleTo, selectPackage, updateStanding } from '../packages/store.ts';
import { packageDocument, type StoredPackage } from '../packages/stored-package.ts';
import type { ContextDeps } from '../ports.ts';
import type { Package } from '../schema.ts';
import { type Move, type Mover, moveStanding, sealEntry } from './rules.ts';
import { insertEntry, selectLastHash } from './store.ts';

const REVIEW_KIND = 'package_review';

/** Puts a waiting package into the inbox. */
export type OpenReview = (uow: UnitOfWork, stored: StoredPackage) => Promise<void>;

export interface MoveRequest {
  readonly move: Move;
  readonly principal: Principal;
  readonly note?: string | undefined;
}

export interface Review {
  readonly open: OpenReview;
  /** Flags a package for review, or lets its author complete it. */
  move(uow: UnitOfWork, stored: StoredPackage, request: MoveRequest): Promise<StoredPackage>;
  /** Decides a waiting package; the effect is the same as deciding it in the inbox. */
  decide(
    uow: UnitOfWork,
    stored: StoredPackage,
    request: MoveRequest & { readonly move: { readonly kind: 'approve' | 'request_changes' } },
  ): Promise<StoredPackage>;
}

const MAX_DEPTH = 500;

export function createReview(
  deps: Pick<ContextDeps, 'clock' | 'hasher' | 'inbox' | 'random' | 'search' | 'record'>,
): Review {
  const { clock, hasher, inbox, random, search, record } = deps;

  async function mover(uow: UnitOfWork, stored: StoredPackage, actor: Mover['actor']): Promise<Mover> {
    const project = await requireStoredProject(uow, stored.projectId);
    const { self_review } = JSON.parse(project.settings) as { self_review?: unknown };
    return { actor, mayReviewOwn: self_review === 'allow' };
  }

  async function apply(
    uow: UnitOfWork,
    stored: StoredPackage,
    request: Pick<MoveRequest, 'move' | 'note'>,
    by: Mover,
  ): Promise<StoredPackage> {
    const { move, note } = request;
    const moved = moveStanding(stored, stored, move, by);
    if (stored.original === null) throw contextErrors.package_redacted();
    const document = readDocument(stored.original, { maxDepth: MAX_DEPTH });
    const value = document.value as JsonObject;
    const current = spliceMembers(
      document,
      new Map([
        ['status', JSON.stringify(moved.status)],
        ['review_type', JSON.stringify(moved.reviewType)],
      ]),
    );
    const hash = contentHash(hasher, withStanding(value, moved));
    if (!(await updateStanding(uow, stored, { ...moved, current, contentHash: hash }))) {
      throw contextErrors.stale_state();
    }
    const entry = sealEntry(hasher, {
      project_id: stored.projectId,
      package_id: stored.packageId,
      seq: stored.logSeq + 1,
      from: stored.status,
      to: moved.status,
      review_type_before: stored.reviewType,
      review_type_after: moved.reviewType,
      actor: { id: by.actor.id, type: by.actor.type, session_id: null },
      note: note ?? null,
      note_salt: note === undefined ? null : toHex(random.bytes(16)),
      at: formatMicros(clock.now()),
      prev_hash: stored.contentHash,
      new_hash: hash,
      previous_entry_hash: await selectLastHash(uow, stored, stored.logSeq),
    });
    await insertEntry(uow, entry);
    if (stored.status === 'draft') {
      search.index(uow, packageDocument(toPlain(value) as Package, stored.createdMicros));
    }
    await record(uow, {
      projectId: stored.projectId,
      by: by.actor,
      type: 'package.transitioned',
      payload: {
        package_id: stored.packageId,
        from: stored.status,
        to: moved.status,
        review_type: moved.reviewType,
        content_hash: hash,
        entry_hash: entry.entry_hash,
        actor_id: by.actor.id,
        actor_type: by.actor.type,
      },
    });
    return { ...stored, ...moved, current, contentHash: hash, logSeq: entry.seq };
  }

  async function open(uow: UnitOfWork, stored: StoredPackage): Promise<void> {
    await inbox.openItem(uow, {
      ...reviewOf(stored),
      requestedBy: stored.depositor ?? stored.author,
      requestedFor: stored.author,
      digest: formatDigest(
        digestOf(hasher, 'jcs', {
          project_id: stored.projectId,
          package_id: stored.packageId,
          body_hash: stored.bodyHash,
          review_type: stored.reviewType,
        }),
      ),
      rule: `review_type:${stored.reviewType}`,
      title: stored.title,
      risk: 'medium',
      edits: false,
      alike: [],
      humansOnly: stored.reviewType === 'human',
    });
  }

  async function waitingItem(uow: UnitOfWork, stored: StoredPackage): Promise<InboxItem | undefined> {
    const [item] = await inbox.list(uow, {
      projects: [stored.projectId],
      state: 'open',
      kind: REVIEW_KIND,
      subject: { type: 'package', id: stored.packageId },
      limit: 1,
    });
    return item;
  }

  async function closeItem(uow: UnitOfWork, stored: StoredPackage, by: Mover, reason: string): Promise<void> {
    await inbox.supersedeSubject(uow, { ...reviewOf(stored), by: by.actor, reason });
  }

  inbox.register(REVIEW_KIND, {
    apply: 'rows',
    async run(uow, item, made) {
      const stored = await requirePackage(uow, item.projectId, item.subject.id);
      const by = await mover(uow, stored, made.decidedBy);
      const kind = made.decision === 'reject' ? 'request_changes' : 'approve';
      await apply(uow, stored, { move: { kind }, note: made.note ?? undefined }, by);
    },
  });

  return {
    open,

    async move(uow, stored, request) {
      if (!isVisibleTo(stored, request.principal.actor)) throw contextErrors.package_not_found();
      const by = await mover(uow, stored, request.principal.actor);
      const after = await apply(uow, stored, request, by);
      if (after.status === 'awaiting_review') await open(uow, after);
      else await closeItem(uow, after, by, 'finished_by_author');
      return after;
    },

    async decide(uow, stored, request) {
      const by = await mover(uow, stored, request.principal.actor);
      // Refuse with this protocol's errors before the inbox refuses with its own.
      moveStanding(stored, stored, request.move, by);
      const item = await waitingItem(uow, stored);
      const ownWork = by.actor.id === stored.author.id || by.actor.id === item?.requestedBy.id;
      if (!item || ownWork) {
        const after = await apply(uow, stored, request, by);
        await closeItem(uow, after, by, 'reviewed_directly');
        return after;
      }
      const decision: Decision = request.move.kind === 'approve' ? 'approve' : 'reject';
      await inbox.decide(uow, {
        itemId: item.itemId,
        decision,
        digest: item.digest,
        principal: request.principal,
        ...(request.note !== undefined && { note: request.note }),
      });
      return requirePackage(uow, stored.projectId, stored.packageId);
    },
  };
}

async function requirePackage(uow: UnitOfWork, projectId: string, packageId: string): Promise<StoredPackage> {
  const stored = await selectPackage(uow, projectId, packageId);
  if (!stored) throw contextErrors.package_not_found();
  return stored;
}

/** What the inbox knows the review of a package by. */
export function reviewOf({ projectId, packageId }: StoredPackage) {
  return { projectId, kind: REVIEW_KIND, subject: { type: 'package', id: packageId } };
}
