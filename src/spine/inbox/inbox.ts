import type { Clock, Micros, Random } from '../../kernel/clock.ts';
import { parseDigest } from '../../kernel/digest.ts';
import type { BatonError } from '../../kernel/error.ts';
import type { Hasher } from '../../kernel/hasher.ts';
import { toHex } from '../../kernel/hex.ts';
import { prefixedId } from '../../kernel/ids.ts';
import { formatMicros } from '../../kernel/instant.ts';
import { canonicalJcs } from '../../kernel/json/canonical/jcs.ts';
import type { Json, JsonObject } from '../../kernel/json/value.ts';
import { writeJson } from '../../kernel/json/write.ts';
import { canSeeProject } from '../identity/access.ts';
import { PRESENCE_RISKS } from '../identity/presence-rules.ts';
import type { Actor, Principal } from '../identity/principal.ts';
import type { JobQueue } from '../jobs/queue.ts';
import type { ChainRef } from '../journal/chains/chain.ts';
import type { Journal } from '../journal/journal.ts';
import type { Reader, UnitOfWork } from '../storage/database.ts';
import type { Aside } from './aside-store.ts';
import { createAsides, type SetAside } from './asides.ts';
import type { Highlight, InboxEffect } from './effect.ts';
import { inboxErrors } from './errors.ts';
import { countGroups, type ItemGroup, selectGroups } from './group-store.ts';
import { HELD_JOB } from './held-job.ts';
import {
  type Choice,
  type Decision,
  type DecisionMade,
  type GroupSort,
  type InboxItem,
  type Risk,
  type Subject,
  stateAt,
} from './item.ts';
import { likeKeyOf } from './likeness.ts';
import { countItems, type ItemCount, type ItemFilter, selectItems, tallyItems } from './list-store.ts';
import { createInboxLog } from './log.ts';
import { chosenOf, deciderFault, decisionOfAll, judgeDecision, mayEdit } from './rules.ts';
import {
  type AboutSubject,
  blankItems,
  hasOverdue,
  holdItem,
  holdOverdue,
  holdPending,
  insertItem,
  insertVote,
  moveItem,
  readItem,
  recordDecision,
  selectVotes,
  type Vote,
} from './store.ts';
import { createUndo } from './undo.ts';

export interface NewItem {
  /** An id from `reserveId`; a new one by default. */
  readonly itemId?: string;
  readonly kind: string;
  readonly projectId: string;
  /** The actor of the credential that asked. */
  readonly requestedBy: Actor;
  /** The actor that the credential spoke for, if another. */
  readonly requestedFor?: Actor;
  /** The credential that asked; see `credentialName`. */
  readonly requestedWith?: string;
  /** Globs on the ids of actors who may decide; everyone with the scope by default. */
  readonly deciders?: readonly string[] | null;
  /** The operator may decide too, although `deciders` does not name them. */
  readonly ownerDecides?: boolean;
  /** It tells of a person; see `InboxItem.personal`. */
  readonly personal?: boolean;
  /** What whoever approves may choose between; the first is the default. */
  readonly choices?: readonly Choice[];
  /** How many people have to agree; one by default. */
  readonly quorum?: number;
  readonly subject: Subject;
  /** `jcs-sha256:…` of the exact bytes to approve. */
  readonly digest: string;
  readonly rule: string;
  /** Kept as it is: for what concerns a person's memories it names ids only. */
  readonly title: string;
  readonly risk: Risk;
  readonly expires?: Micros;
  readonly unblocks?: readonly Subject[];
  readonly edits: boolean;
  /** Defaults to true. */
  readonly humansOnly?: boolean;
  /** What makes another request like this one, besides kind, rule, risk and agent; without it, the item stands alone. */
  readonly alike?: readonly string[];
  /** The session whose ledger records the opening; by default the requesting actor's standing session. */
  readonly sessionId?: string;
}

export interface DecideInput {
  readonly itemId: string;
  readonly decision: Decision;
  /** Which of the item's choices is approved; the first by default. */
  readonly choice?: string;
  readonly digest: string;
  readonly principal: Principal;
  readonly edits?: Json;
  readonly note?: string;
  /** How long the effect is held back, so that the decision can be undone. None by default. */
  readonly undoSeconds?: number;
}

export interface Decided {
  readonly item: InboxItem;
  /** The same person had already made this decision; this is the first outcome. */
  readonly repeated: boolean;
}

export type Settlement =
  | { readonly state: 'applied' }
  | { readonly state: 'failed'; readonly reason: string };

export interface Inbox {
  /** Once for each kind, before any item of it is decided. */
  register(kind: string, effect: InboxEffect): void;
  /** An id for an item that may be opened later. */
  reserveId(): string;
  /** The same request again returns the same item; a changed one (another digest) supersedes it. */
  openItem(uow: UnitOfWork, item: NewItem): Promise<InboxItem>;
  decide(uow: UnitOfWork, input: DecideInput): Promise<Decided>;
  /** Takes back the principal's own decision or vote, unless its effect has begun. */
  undo(uow: UnitOfWork, itemId: string, principal: Principal): Promise<InboxItem>;
  /** Applies a decision that was held back; the item opens again where that is refused. */
  applyHeld(uow: UnitOfWork, itemId: string): Promise<void>;
  reopen(uow: UnitOfWork, itemId: string, reason: string): Promise<void>;
  /** Takes an item from what waits for this principal; for others nothing changes. It expires all the same. */
  setAside(uow: UnitOfWork, itemId: string, principal: Principal, aside: SetAside): Promise<InboxItem>;
  bringBack(uow: UnitOfWork, itemId: string, principal: Principal): Promise<InboxItem>;
  /** What this actor has put aside of these items, and what was handed to them. */
  asides(reader: Reader, items: readonly InboxItem[], actorId: string): Promise<Aside[]>;
  groups(reader: Reader, filter: ItemFilter & { readonly sort: GroupSort }): Promise<ItemGroup[]>;
  countGroups(reader: Reader, filter: ItemFilter): Promise<number>;
  highlights(reader: Reader, item: InboxItem, principal: Principal): Promise<readonly Highlight[]>;
  /** Closes what is open, or decided and not begun. False when it is too late. */
  supersede(uow: UnitOfWork, close: { itemId: string; by: Actor; reason: string }): Promise<boolean>;
  supersedeSubject(uow: UnitOfWork, close: AboutSubject & { by: Actor; reason: string }): Promise<number>;
  /** Destroys titles and notes of all items about a subject whose content was destroyed; the items stay. */
  blankSubject(uow: UnitOfWork, about: AboutSubject, title: string): Promise<number>;
  /** Says how the job of a decided item ended; ignored once the item is closed. */
  settle(uow: UnitOfWork, itemId: string, settlement: Settlement): Promise<boolean>;
  /** Whether only somebody who proves to be there may decide it. */
  needsPresence(item: InboxItem): boolean;
  /** Closes what has expired, a bounded number at a time. */
  expireDue(uow: UnitOfWork): Promise<number>;
  /** Whether any item is past its time. */
  hasDue(reader: Reader): Promise<boolean>;
  list(reader: Reader, filter: ItemFilter): Promise<InboxItem[]>;
  /** How many items there are of what `list` would list, all pages together. */
  count(reader: Reader, filter: ItemFilter): Promise<number>;
  tally(reader: Reader, filter: ItemFilter): Promise<ItemCount[]>;
  /** Why this principal may not decide the item; undefined if they may. */
  refusal(reader: Reader, item: InboxItem, principal: Principal): Promise<BatonError | undefined>;
  get(reader: Reader, itemId: string): Promise<InboxItem | undefined>;
  /** Who has agreed to an open item that needs more than one person. */
  agreedBy(reader: Reader, item: Pick<InboxItem, 'itemId' | 'quorum'>): Promise<string[]>;
  /** What a person has to see before deciding; undefined if the kind has nothing to show to this reader. */
  describe(reader: Reader, item: InboxItem, principal: Principal): Promise<JsonObject | undefined>;
}

export interface InboxDeps {
  readonly journal: Journal;
  readonly jobs: JobQueue;
  readonly hasher: Hasher;
  readonly clock: Clock;
  readonly random: Random;
  /** The ledger of an actor's standing session in a project. */
  readonly ledgerOf: (uow: UnitOfWork, projectId: string, actor: Actor) => Promise<ChainRef>;
  /** Risk levels that need a person present. High and critical by default. */
  readonly presenceFor?: readonly Risk[];
}

const EXPIRED_PER_UNIT = 100;

export function createInbox(deps: InboxDeps): Inbox {
  const { jobs, hasher, clock, random } = deps;
  const presenceFor = deps.presenceFor ?? PRESENCE_RISKS;
  const log = createInboxLog(deps.journal, deps.ledgerOf);
  const effects = new Map<string, InboxEffect>();
  const reserveId = () => prefixedId('inb', random);

  function effectOf(kind: string): InboxEffect {
    const effect = effects.get(kind);
    if (!effect) throw new Error(`nobody has registered what a decision of kind ${kind} brings about`);
    return effect;
  }

  function hashEdits(item: InboxItem, edits: Json | undefined): string | null {
    return edits === undefined ? null : hasher.hex(`${item.salt}:${canonicalJcs(edits)}`);
  }

  /** What stands between a decision and its effect. */
  function jobOf(kind: string): string {
    const effect = effectOf(kind);
    return effect.apply === 'job' ? effect.jobKind : HELD_JOB;
  }

  /** No decision is held back beyond the time that there was to make it. */
  function dueOf({ expires }: InboxItem, now: Micros, seconds: number): Micros {
    return Math.min(now + seconds * 1_000_000, expires ?? Number.MAX_SAFE_INTEGER);
  }

  async function held(uow: UnitOfWork, itemId: string, principal: Principal): Promise<InboxItem> {
    const item = await holdItem(uow, itemId);
    if (item && canSeeProject(principal, item.projectId)) return item;
    throw inboxErrors.item_not_found({ details: { id: itemId } });
  }

  async function refusal(reader: Reader, item: InboxItem, principal: Principal) {
    return (
      deciderFault(item, principal) ?? (await effects.get(item.kind)?.refuses?.(reader, item, principal))
    );
  }

  async function close(uow: UnitOfWork, item: InboxItem, by: Actor, reason: string): Promise<boolean> {
    if (item.state === 'decided') {
      if (!(await jobs.cancel(uow, jobOf(item.kind), item.itemId))) return false;
    }
    const closed = await moveItem(uow, item.itemId, ['open', 'decided'], 'superseded', reason);
    if (closed) await log.superseded(uow, item, by, reason);
    return closed;
  }

  async function expire(uow: UnitOfWork, item: InboxItem): Promise<void> {
    await moveItem(uow, item.itemId, ['open'], 'expired');
    await log.expired(uow, item);
    await effects.get(item.kind)?.expired?.(uow, item);
  }

  /** The votes that a yes joins where several people have to agree, or that it only adds one. */
  async function agreedBefore(
    uow: UnitOfWork,
    item: InboxItem,
    made: DecisionMade,
  ): Promise<readonly Vote[] | 'waits' | 'repeat'> {
    if (item.quorum === 1 || made.decision === 'reject') return [];
    const votes = await selectVotes(uow, item.itemId);
    if (votes.some(({ actorId }) => actorId === made.decidedBy.id)) return 'repeat';
    if (votes.length + 1 >= item.quorum) return votes;
    await insertVote(uow, item.itemId, {
      actorId: made.decidedBy.id,
      choice: made.choice,
      credential: made.credential,
      votedAt: made.decidedAt,
    });
    await log.agreed(uow, item, made);
    return 'waits';
  }

  async function applyEffect(
    uow: UnitOfWork,
    item: InboxItem,
    edits: Json | undefined,
    due?: Micros,
  ): Promise<InboxItem> {
    const made = item.decision as DecisionMade;
    const effect = effectOf(item.kind);
    if (effect.apply === 'job' || due !== undefined) {
      const maxAttempts = effect.apply === 'job' ? effect.maxAttempts : undefined;
      await jobs.enqueue(uow, {
        kind: jobOf(item.kind),
        key: item.itemId,
        projectId: item.projectId,
        payload: { item_id: item.itemId },
        ...(maxAttempts !== undefined && { maxAttempts }),
        ...(due !== undefined && { due }),
      });
      return item;
    }
    await effect.run(uow, item, { ...made, edits });
    await moveItem(uow, item.itemId, ['decided'], 'applied');
    await log.applied(uow, item, made.decidedBy);
    return { ...item, state: 'applied' };
  }

  return {
    register(kind, effect) {
      if (effects.has(kind)) throw new Error(`two effects for inbox items of kind ${kind}`);
      effects.set(kind, effect);
    },

    reserveId,

    async openItem(uow, wanted) {
      effectOf(wanted.kind);
      if (parseDigest(wanted.digest)?.profile !== 'jcs') throw new Error('an item needs a jcs-sha256 digest');
      const now = clock.now();
      for (const present of await holdPending(uow, wanted)) {
        if (present.state !== 'open') continue;
        if (stateAt(present, now) === 'expired') await expire(uow, present);
        else if (present.digest === wanted.digest) return present;
        else await close(uow, present, wanted.requestedBy, 'asked_anew');
      }
      const itemId = wanted.itemId ?? reserveId();
      await insertItem(uow, {
        ...wanted,
        itemId,
        opened: now,
        openedAt: formatMicros(now),
        expires: wanted.expires ?? null,
        expiresAt: wanted.expires === undefined ? null : formatMicros(wanted.expires),
        requestedFor: wanted.requestedFor ?? wanted.requestedBy,
        requestedWith: wanted.requestedWith ?? null,
        deciders: wanted.deciders ?? null,
        ownerDecides: wanted.ownerDecides ?? false,
        personal: wanted.personal ?? false,
        choices: wanted.choices ?? [],
        quorum: wanted.quorum ?? 1,
        unblocks: wanted.unblocks ?? [],
        editsAllowed: mayEdit({ editsAllowed: wanted.edits, quorum: wanted.quorum ?? 1 }),
        humansOnly: wanted.humansOnly ?? true,
        likeKey: likeKeyOf(hasher, {
          ...wanted,
          requestedFor: wanted.requestedFor ?? wanted.requestedBy,
          alike: wanted.alike,
        }),
        salt: toHex(random.bytes(16)),
      });
      const item = (await readItem(uow, itemId)) as InboxItem;
      await log.opened(uow, item, wanted.sessionId);
      return item;
    },

    async decide(uow, input) {
      const { principal, undoSeconds = 0 } = input;
      const item = await held(uow, input.itemId, principal);
      const now = clock.now();
      const editsHash = hashEdits(item, input.edits);
      const verdict = judgeDecision(item, { ...input, editsHash }, now, presenceFor);
      if (verdict === 'repeat') return { item, repeated: true };
      const refused = await effectOf(item.kind).refuses?.(uow, item, principal);
      if (refused) throw refused;
      const made: DecisionMade = {
        decision: input.decision,
        choice: chosenOf(item, input),
        decidedBy: principal.actor,
        credential: principal.credential.kind,
        decidedAt: formatMicros(now),
        note: input.note ?? null,
        editsHash,
      };
      const agreed = await agreedBefore(uow, item, made);
      if (agreed === 'repeat') return { item, repeated: true };
      if (agreed === 'waits') return { item, repeated: false };
      const due = undoSeconds > 0 ? dueOf(item, now, undoSeconds) : undefined;
      const later = due !== undefined || effectOf(item.kind).apply === 'job';
      const whole = agreed.length === 0 ? made : decisionOfAll(item, made, agreed);
      const heldUntil = due === undefined ? null : formatMicros(due);
      await recordDecision(uow, item.itemId, whole, {
        edits: input.edits !== undefined && later ? writeJson(input.edits) : null,
        heldUntil,
      });
      const decided: InboxItem = { ...item, state: 'decided', decision: whole, heldUntil };
      await log.decided(uow, decided, whole);
      return { item: await applyEffect(uow, decided, input.edits, due), repeated: false };
    },

    ...createUndo({ jobs, log, jobOf, held, applyEffect }),
    ...createAsides({ clock, log, held, refusal }),

    async supersede(uow, { itemId, by, reason }) {
      const item = await holdItem(uow, itemId);
      return item !== undefined && close(uow, item, by, reason);
    },

    async supersedeSubject(uow, { by, reason, ...about }) {
      let closed = 0;
      for (const item of await holdPending(uow, about)) {
        if (await close(uow, item, by, reason)) closed += 1;
      }
      return closed;
    },

    blankSubject: blankItems,

    async settle(uow, itemId, settlement) {
      const item = await holdItem(uow, itemId);
      if (!item?.decision) return false;
      // Whether it took effect may come out after it was given up as unknown.
      const reopened = item.state === 'failed' && item.reason === 'outcome_unknown';
      if (item.state !== 'decided' && !reopened) return false;
      const { decidedBy } = item.decision;
      if (settlement.state === 'applied') {
        await moveItem(uow, itemId, [item.state], 'applied');
        await log.applied(uow, item, decidedBy);
      } else {
        await moveItem(uow, itemId, [item.state], 'failed', settlement.reason);
        await log.failed(uow, item, decidedBy, settlement.reason);
      }
      return true;
    },

    needsPresence: ({ risk }) => presenceFor.includes(risk),

    async expireDue(uow) {
      const overdue = await holdOverdue(uow, clock.now(), EXPIRED_PER_UNIT);
      for (const item of overdue) await expire(uow, item);
      return overdue.length;
    },

    hasDue: (reader) => hasOverdue(reader, clock.now()),
    list: (reader, filter) => selectItems(reader, filter, clock.now()),
    count: (reader, filter) => countItems(reader, filter, clock.now()),
    tally: (reader, filter) => tallyItems(reader, filter, clock.now()),
    refusal,
    groups: (reader, filter) => selectGroups(reader, filter, clock.now()),
    countGroups: (reader, filter) => countGroups(reader, filter, clock.now()),
    highlights: async (reader, item, principal) =>
      (await effects.get(item.kind)?.highlights?.(reader, item, principal)) ?? [],
    get: readItem,
    agreedBy: async (reader, { itemId, quorum }) =>
      quorum === 1 ? [] : (await selectVotes(reader, itemId)).map(({ actorId }) => actorId),
    describe: async (reader, item, principal) => effects.get(item.kind)?.describe?.(reader, item, principal),
  };
}
