import type { Clock } from '../../../kernel/clock.ts';
import { BatonError } from '../../../kernel/error.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import { toHex } from '../../../kernel/hex.ts';
import { formatMicros } from '../../../kernel/instant.ts';
import { foldPeaks, peakPositions } from '../../../kernel/merkle/compact-range.ts';
import { consistencyPath, inclusionPath, type NodeAt } from '../../../kernel/merkle/paths.ts';
import { verifyConsistency } from '../../../kernel/merkle/verify.ts';
import { type Checkpoint, checkpointBody, parseCheckpoint } from '../../../kernel/note/checkpoint.ts';
import { parseNote, verifyNote } from '../../../kernel/note/signed-note.ts';
import { formatVerifierKey, type VerifierKey } from '../../../kernel/note/verifier-key.ts';
import { type ProofBundle, proofBundle } from '../../../kernel/proof-bundle.ts';
import { ed25519 } from '../../../platform/index.ts';
import type { Database, Reader } from '../../storage/database.ts';
import { journalErrors } from '../errors.ts';
import { selectEvent } from '../events/event-store.ts';
import { type PayloadCodec, plainPayloads } from '../events/payload-codec.ts';
import { wireEventOf } from '../events/stored-event.ts';
import { selectTreeSize } from '../numbers/number-store.ts';
import type { Sequencer } from '../numbers/sequencer.ts';
import { CheckpointHistory, linkLines, linkOf } from './checkpoint-link.ts';
import { hashBytes } from './hex-hash.ts';
import { type JournalSigner, parseTrustedKeys } from './signing-key.ts';
import { createCatchUp, createTiles } from './tiles.ts';
import { checkpointsAfter, insertCheckpoint, lastCheckpoint, type StoredCheckpoint } from './tree-store.ts';

export interface Inclusion {
  readonly leaf: number;
  readonly size: number;
  /** Hex, from the leaf up. */
  readonly path: readonly string[];
  readonly root: string;
}

export interface Consistency {
  readonly first: number;
  readonly second: number;
  readonly path: readonly string[];
}

/** One RFC 6962 tree over the event hashes of the whole store, and its signed heads. */
export interface Tree {
  /** Signs the head if it has moved, after checking that it continues the last one. Undefined while there is no event. */
  checkpoint(): Promise<StoredCheckpoint | undefined>;
  latestCheckpoint(): Promise<StoredCheckpoint | undefined>;
  /** How many leaves it has now. */
  size(): Promise<number>;
  /** Hex, of the tree as it was at that size. */
  rootAt(size: number): Promise<string>;
  /** In the tree as it is now, or of the size given. */
  inclusion(leaf: number, size?: number): Promise<Inclusion>;
  consistency(first: number, second: number): Promise<Consistency>;
  /** A file that proves the event to anyone; signs a new checkpoint if the last one does not cover it. */
  prove(eventId: string): Promise<ProofBundle>;
  readonly signer: JournalSigner;
}

export interface TreeDeps {
  readonly db: Database;
  readonly sequencer: Sequencer;
  readonly hasher: Hasher;
  readonly signer: JournalSigner;
  readonly clock: Clock;
  readonly payloads?: PayloadCodec;
  /** Puts on record what earlier versions left off it, before the first checkpoint that vouches for such a record. */
  readonly beforeFirstLink?: () => Promise<void>;
}

interface SignedHead extends Checkpoint {
  /** What was signed. */
  readonly text: string;
  readonly verifierKey: string;
}

/** Another process signs at most this often between our look and our write. */
const SIGNING_TRIES = 5;
const CHECKPOINTS_AT_ONCE = 1_000;

export function createTree(deps: TreeDeps): Tree {
  const { db, sequencer, hasher, signer, clock, payloads = plainPayloads } = deps;
  const tiles = createTiles(hasher);
  const catchUp = createCatchUp(db, tiles);
  const trustedKeys = parseTrustedKeys(signer.trustedKeys);
  /** A signature is checked once: doing so costs more than a proof. */
  let lastSigned: { readonly note: string; readonly head: SignedHead } | undefined;

  const nodesOf =
    (reader: Reader): NodeAt =>
    async (level, index) =>
      hashBytes(await tiles.node(reader, level, index));

  async function currentSize(): Promise<number> {
    await sequencer.run();
    const size = await db.read(selectTreeSize);
    await catchUp(size);
    return size;
  }

  async function rootAt(nodeAt: NodeAt, size: number): Promise<Uint8Array> {
    const peaks: Uint8Array[] = [];
    for (const { level, index } of peakPositions(0, size)) peaks.push(await nodeAt(level, index));
    return foldPeaks(hasher, peaks) as Uint8Array;
  }

  /** What was signed, by which key; the row beside the note counts for nothing. */
  async function signedHead(stored: StoredCheckpoint): Promise<SignedHead> {
    if (lastSigned?.note !== stored.note)
      lastSigned = { note: stored.note, head: await checkSignature(stored) };
    return lastSigned.head;
  }

  async function checkSignature(stored: StoredCheckpoint): Promise<SignedHead> {
    try {
      const { text, signedBy } = await verifyNote(stored.note, trustedKeys, ed25519.verify);
      const verifierKey = formatVerifierKey(signedBy[0] as VerifierKey);
      const head = { ...parseCheckpoint(text), text, verifierKey };
      if (head.origin !== signer.origin)
        throw journalErrors.journal_rewritten({ details: { origin: head.origin, store: signer.origin } });
      return head;
    } catch (cause) {
      if (!(cause instanceof BatonError) || cause.code === 'journal_rewritten') throw cause;
      if (cause.code === 'note_not_trusted') throw journalErrors.signing_key_unknown({ cause });
      throw journalErrors.journal_rewritten({ cause, details: { checkpoint: stored.size } });
    }
  }

  /** The root of the present tree, once it is shown to continue what was signed. */
  async function continuedRoot(
    reader: Reader,
    signed: { size: number; root: Uint8Array } | undefined,
    size: number,
  ) {
    const nodeAt = nodesOf(reader);
    const root = await rootAt(nodeAt, size);
    if (!signed) return root;
    const continues = verifyConsistency(hasher, {
      first: signed.size,
      firstRoot: signed.root,
      second: size,
      secondRoot: root,
      path: await consistencyPath(hasher, signed.size, size, nodeAt),
    });
    if (!continues) throw journalErrors.journal_rewritten({ details: { checkpoint: signed.size, size } });
    return root;
  }

  /** What the next checkpoint says of those before it. */
  async function historyUpTo(signed: SignedHead | undefined): Promise<CheckpointHistory> {
    const history = new CheckpointHistory(hasher);
    if (!signed) return history;
    if (linkOf(signed)) {
      history.push(signed.text, signed);
      return history;
    }
    for (let after = -1; after < signed.size; ) {
      const some = await db.read((reader) => checkpointsAfter(reader, after, CHECKPOINTS_AT_ONCE));
      if (some.length === 0) break;
      for (const { note } of some) {
        const { text } = parseNote(note);
        history.push(text, parseCheckpoint(text));
      }
      after = some.at(-1)?.size ?? signed.size;
    }
    return history;
  }

  async function checkpoint(): Promise<StoredCheckpoint | undefined> {
    for (let tries = 0; tries < SIGNING_TRIES; tries += 1) {
      const last = await db.read(lastCheckpoint);
      const signed = last && (await signedHead(last));
      if (!signed || !linkOf(signed)) await deps.beforeFirstLink?.();
      const size = await currentSize();
      if (signed && signed.size > size) {
        throw journalErrors.journal_rewritten({ details: { checkpoint: signed.size, size } });
      }
      if (size === 0 || size === signed?.size) return last;
      const root = await db.read((reader) => continuedRoot(reader, signed, size));
      const { size: previousSize, digest } = await historyUpTo(signed);
      const time = formatMicros(clock.now());
      const extensions = linkLines({ previousSize, history: digest, time });
      const made: StoredCheckpoint = {
        size,
        root: toHex(root),
        note: signer.sign(checkpointBody(signer.origin, size, root, extensions)),
        createdAt: time,
      };
      if (await db.write((uow) => insertCheckpoint(uow, made, previousSize))) return made;
    }
    // Nobody signs that fast: the newest checkpoint is not the one that was signed last.
    throw journalErrors.journal_rewritten({ details: { checkpoint: 'missing' } });
  }

  async function included(leaf: number, size: number): Promise<Inclusion> {
    if (!(Number.isSafeInteger(leaf) && leaf >= 0 && leaf < size)) {
      throw journalErrors.invalid_range({ details: { leaf, size } });
    }
    return db.read(async (reader) => {
      const nodeAt = nodesOf(reader);
      const path = await inclusionPath(hasher, size, leaf, nodeAt);
      return { leaf, size, path: path.map(toHex), root: toHex(await rootAt(nodeAt, size)) };
    });
  }

  return {
    signer,
    checkpoint,
    latestCheckpoint: () => db.read(lastCheckpoint),
    size: currentSize,

    async rootAt(size) {
      const now = await currentSize();
      if (!(Number.isSafeInteger(size) && size >= 1 && size <= now)) {
        throw journalErrors.invalid_range({ details: { size: now } });
      }
      return toHex(await db.read((reader) => rootAt(nodesOf(reader), size)));
    },

    async inclusion(leaf, size) {
      const now = await currentSize();
      if (size !== undefined && size > now) throw journalErrors.invalid_range({ details: { size: now } });
      return included(leaf, size ?? now);
    },

    async consistency(first, second) {
      const size = await currentSize();
      if (!(Number.isSafeInteger(first) && first >= 0 && first <= second && second <= size)) {
        throw journalErrors.invalid_range({ details: { first, second, size } });
      }
      return db.read(async (reader) => {
        const path = await consistencyPath(hasher, first, second, nodesOf(reader));
        return { first, second, path: path.map(toHex) };
      });
    },

    async prove(eventId) {
      await sequencer.run();
      const row = await db.read((reader) => selectEvent(reader, payloads, eventId));
      if (!row || row.leaf === null) throw journalErrors.event_not_found({ details: { event_id: eventId } });
      const event = wireEventOf(row);
      if (event.payload === null) throw journalErrors.event_pruned({ details: { event_id: eventId } });
      const last = await db.read(lastCheckpoint);
      const { leaf } = row;
      const covering = last && last.size > leaf ? last : ((await checkpoint()) as StoredCheckpoint);
      const signed = await signedHead(covering);
      const path = await db.read((reader) => inclusionPath(hasher, signed.size, leaf, nodesOf(reader)));
      return proofBundle({
        event,
        leafIndex: leaf,
        path,
        checkpoint: covering.note,
        verifierKey: signed.verifierKey,
      });
    },
  };
}
