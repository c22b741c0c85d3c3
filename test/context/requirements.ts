/**
 * Where each row of the requirement table is proved. A row is proved by the check of the same id that the conformance
 * suite runs against our own server, by tests (named by a part of their title), or by both.
 */

const rows = (prefix: string, last: number) => Array.from({ length: last }, (_, at) => `${prefix}${at + 1}`);

/** A: the protocol. X: beyond it. V: published hashes. S: settled after review, in the order of that list. */
export const REQUIREMENTS: readonly string[] = [
  ...rows('A', 87),
  ...rows('X', 16),
  ...rows('V', 7),
  ...rows('S', 8),
];

/** Rows that no client can see from outside, or of which a check sees only a part. */
export const PROVED_BY_TESTS: Readonly<Record<string, readonly string[]>> = {
  A2: ['keeps every token that it does not know, at every depth, and adds no default'],
  A4: ['is refused with its code, place and a sentence, and writes nothing'],
  A5: ['mints ids of the recommended form where none is given'],
  A27: ['answers the example of the protocol with the published hash, in headers only'],
  A29: ['reports a package that no longer matches its hash, and shows it nowhere else'],
  A30: ['reports a package that no longer matches its hash, and shows it nowhere else'],
  A33: ['refuses every way out of complete, without a trace in the log'],
  A34: ['from %s: flag %s, approve %s, request changes %s, the author finishes %s'],
  A38: ['two processes with 100 deposits each lose nothing, and their facts follow each other without a gap'],
  A63: ['64 writers on one subject and predicate leave one current fact and no gap'],
  A64: ['leaves an unbroken chain with one current fact whatever is asserted and retracted'],
  A66: ['answers what was true at an instant: from the beginning on, up to the end'],
  A71: ['goes into the other engine and out again, byte for byte the same'],
  A72: [
    'goes into the other engine and out again, byte for byte the same',
    'is the same in the end, whatever happens, wherever it is interrupted',
  ],
  A73: ['goes into the other engine and out again, byte for byte the same'],
  A74: ['is the same in the end, whatever happens, wherever it is interrupted'],
  A75: ['follows references only where the asker may read, and tells forbidden and missing apart to nobody'],
  A80: ['refuses to bind beyond loopback without TLS, unless a proxy is said to end it'],
  A82: ['says what it can do, and names what it cannot'],
  A85: [
    'is caught where facts are not replaced in one step: L1, not L2',
    'is caught where its hashes are wrong',
  ],
  X1: ['is whole as written, and broken by a change, a gap or another order'],
  X4: ['is refused with its code, place and a sentence, and writes nothing'],
  X6: ['a follower that resumes across a restart of the server misses nothing and sees nothing twice'],
  X8: ['signs a package; the signature stays good through review and goes bad with its key'],
  X9: ['leaves no byte of a package: rows, index, reviews, inbox, kept answers, blobs, free pages'],
  X12: ['two processes with 100 deposits each lose nothing, and their facts follow each other without a gap'],
  X15: ['stays within its budget and says what it left out', 'quotes what others wrote'],
  X16: ['takes a Relay backup: statuses, names and significance mapped, the original kept'],
  V1: ['V1 the example of the protocol'],
  V2: ['V2 an absent member instead of a null one'],
  V3: ['V3 defaults written out'],
  V4: ['V4 another form of the same instant'],
  V5: ['V5 members that the protocol does not know'],
  V6: ['V6 the body without status and review type'],
  V7: ['V7 keys in the order of their UTF-8 bytes, nulls kept in arrays only'],
  // Actor, projects, blobs, callsign, filters, references and vectors, feed ids, tools.
  S1: ['takes an author only from the credential, unless the owner brings it in'],
  S2: ['makes a project at the first deposit on loopback, and elsewhere asks for it first'],
  S3: ['keeps deliverables under their hash, and refuses bytes that have another'],
  S4: ['gives an agent a callsign to announce, and finds what it decided by it'],
  S5: ['leaves out what is less significant than asked, in lists, orientation and digest'],
  S6: [
    'follows references only where the asker may read, and tells forbidden and missing apart to nobody',
    'are taken where model and text are the same, and left to the server where they are not',
  ],
  S7: ['streams changes that can be resumed, and hides the drafts of others'],
  S8: ['lists the core, and finds and describes the rest'],
};
