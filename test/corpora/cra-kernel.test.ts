/** The public CRA vectors, read from `../shared/corpora` or `BATON_CORPORA`; they are not part of this repository. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../src/kernel/base64.ts';
import { canonicalAppendixB } from '../../src/kernel/json/canonical/appendix-b.ts';
import { canonicalJcs } from '../../src/kernel/json/canonical/jcs.ts';
import { canonicalUtf8Literal } from '../../src/kernel/json/canonical/utf8-literal.ts';
import { readJson } from '../../src/kernel/json/reader.ts';

import { CompactRange, rootFromLeaves } from '../../src/kernel/merkle/compact-range.ts';
import { leafHash } from '../../src/kernel/merkle/hash.ts';
import { consistencyPath, inclusionPath, type NodeAt } from '../../src/kernel/merkle/paths.ts';
import { verifyConsistency, verifyInclusion } from '../../src/kernel/merkle/verify.ts';
import { checkpointBody, parseCheckpoint } from '../../src/kernel/note/checkpoint.ts';
import { signNote, verifyNote } from '../../src/kernel/note/signed-note.ts';
import { formatVerifierKey, noteKeyId, parseVerifierKey } from '../../src/kernel/note/verifier-key.ts';
import { portableHasher } from '../../src/kernel/sha256.ts';
import { eventHash, eventPreimage, readTraceEvent, type TraceEvent } from '../../src/kernel/trace/event.ts';
import { createChainVerifier } from '../../src/kernel/trace/verify-chain.ts';
import { ed25519, nodeHasher } from '../../src/platform/index.ts';

const folder = join(resolve(process.env.BATON_CORPORA ?? '../shared/corpora'), 'cra');
const present = existsSync(folder);
if (!present) console.warn(`Skipped the CRA vectors: there is no folder ${folder} (set BATON_CORPORA).`);

function corpus<T>(name: string): T {
  return readJson(readFileSync(join(folder, name), 'utf8'), { lenient: true }) as T;
}

interface HashVector {
  name: string;
  envelope: Omit<TraceEvent, 'payload' | 'event_hash'>;
  payload_raw: string;
  canonical_payload: { appendix_b: string; utf8_literal?: string; jcs_rfc8785?: string };
  event_hash: { appendix_b: string; utf8_literal: string; jcs_rfc8785: string };
}

/** The event as a line, with the payload's text as given. */
function lineOf(envelope: object, payloadRaw: string, hash: string): string {
  return `${JSON.stringify({ ...envelope, event_hash: hash }).slice(0, -1)},"payload":${payloadRaw}}`;
}

describe.runIf(present)('the CRA hash vectors', () => {
  const refused = ['lone_surrogate', 'duplicate_keys', 'parent_empty_string'];

  it('hash to the published values when read leniently, all 33', () => {
    const { vectors } = corpus<{ vectors: HashVector[] }>('hash-vectors.json');
    expect(vectors).toHaveLength(33);
    for (const { name, envelope, payload_raw, canonical_payload, event_hash } of vectors) {
      const event = readTraceEvent(lineOf(envelope, payload_raw, event_hash.appendix_b), 'trace', 'lenient');
      expect(canonicalAppendixB(event.payload), name).toBe(canonical_payload.appendix_b);
      expect(eventHash(nodeHasher, event), name).toBe(event_hash.appendix_b);
      expect(eventHash(portableHasher, event), name).toBe(event_hash.appendix_b);
    }
  });

  it('pass through the strict reader, all but three', () => {
    const { vectors } = corpus<{ vectors: HashVector[] }>('hash-vectors.json');
    const passed: string[] = [];
    for (const { name, envelope, payload_raw, event_hash } of vectors) {
      const line = lineOf(envelope, payload_raw, event_hash.appendix_b);
      if (refused.includes(name)) {
        expect(() => readTraceEvent(line, 'trace'), name).toThrow();
      } else {
        expect(eventHash(nodeHasher, readTraceEvent(line, 'trace')), name).toBe(event_hash.appendix_b);
        passed.push(name);
      }
    }
    expect(passed).toHaveLength(30);
  });

  it('are told apart by profile where profiles differ', () => {
    const { vectors } = corpus<{ vectors: HashVector[] }>('hash-vectors.json');
    for (const { name, envelope, payload_raw, event_hash } of vectors) {
      if (refused.includes(name)) continue;
      const payload = readJson(payload_raw);
      const hashOf = (text: string) => nodeHasher.hex(eventPreimage(envelope, text));
      expect(hashOf(canonicalUtf8Literal(payload)), name).toBe(event_hash.utf8_literal);
      // Our JCS refuses the integers that RFC 8785 would silently round.
      if (['int_beyond_2_53', 'int_huge'].includes(name))
        expect(() => canonicalJcs(payload)).toThrow(/exactly/);
      else expect(hashOf(canonicalJcs(payload)), name).toBe(event_hash.jcs_rfc8785);
    }
  });

  it('collide in the published pairs, of which the strict syntax takes only the honest one', () => {
    interface Collision {
      payload_raw: string;
      a: HashVector['envelope'];
      b: HashVector['envelope'];
      event_hash: string;
    }
    const { concatenation_collisions } = corpus<{ concatenation_collisions: Collision[] }>(
      'hash-vectors.json',
    );
    expect(concatenation_collisions).toHaveLength(3);
    for (const { payload_raw, a, b, event_hash } of concatenation_collisions) {
      const [honest, forged] = [lineOf(a, payload_raw, event_hash), lineOf(b, payload_raw, event_hash)];
      expect(eventHash(nodeHasher, readTraceEvent(honest, 'trace'))).toBe(event_hash);
      expect(eventHash(nodeHasher, readTraceEvent(forged, 'trace', 'lenient'))).toBe(event_hash);
      expect(() => readTraceEvent(forged, 'trace')).toThrow();
    }
  });

  it('give the published hashes of parameters', () => {
    interface Sample {
      parameters_raw: string;
      sha256_of_appendix_b_canonical: string;
    }
    const { parameters_hash } = corpus<{ parameters_hash: Sample[] }>('hash-vectors.json');
    expect(parameters_hash).toHaveLength(4);
    for (const { parameters_raw, sha256_of_appendix_b_canonical } of parameters_hash) {
      expect(nodeHasher.hex(canonicalAppendixB(readJson(parameters_raw)))).toBe(
        sha256_of_appendix_b_canonical,
      );
    }
  });
});

interface ChainCase {
  name: string;
  expected: { valid: boolean; error?: string; error_at?: number };
  events: TraceEvent[];
}

describe.runIf(present)('the CRA chain vectors', () => {
  const verify = (events: readonly (TraceEvent | string)[], options = {}) => {
    const verifier = createChainVerifier(nodeHasher, options);
    for (const event of events) verifier.push(event);
    return verifier.finish();
  };

  it('get their verdict and primary error, all 27, as events and as lines', () => {
    const { cases } = corpus<{ cases: ChainCase[] }>('chain-vectors.json');
    expect(cases).toHaveLength(27);
    for (const { name, expected, events } of cases) {
      const lines = events.map((event) => JSON.stringify(event));
      for (const report of [verify(events), verify(lines)]) {
        expect(report.valid, name).toBe(expected.valid);
        expect(report.event_count, name).toBe(events.length);
        expect(report.errors[0]?.error, name).toBe(expected.error);
        expect(report.errors[0]?.index, name).toBe(expected.error_at);
      }
    }
  });

  it('name every error of an event whose link or sequence was edited', () => {
    const { cases } = corpus<{ cases: ChainCase[] }>('chain-vectors.json');
    const errorsAt = (name: string, index: number) =>
      verify(cases.find((one) => one.name === name)?.events ?? [])
        .errors.filter((error) => error.index === index)
        .map((error) => error.error);
    expect(errorsAt('edited_link_not_rehashed', 1)).toEqual(['chain_broken', 'hash_mismatch']);
    expect(errorsAt('edited_sequence_not_rehashed', 3)).toEqual(['sequence_gap', 'hash_mismatch']);
    expect(errorsAt('deleted_mid', 1)).toEqual(['chain_broken', 'sequence_gap']);
    expect(errorsAt('uppercase_hash', 2)).toEqual(['hash_mismatch', 'invalid_event']);
  });

  it('are recognised as raw UTF-8 when told to find the profile', () => {
    const { cases } = corpus<{ cases: ChainCase[] }>('chain-vectors.json');
    const events = cases.find((one) => one.name === 'nonascii_utf8_profile')?.events ?? [];
    expect(verify(events, { profile: 'auto' })).toMatchObject({ valid: true, profile: 'utf8' });
    expect(verify(events, { profile: 'utf8' })).toMatchObject({ valid: true });
  });

  it('report a cut tail as not ended and a step back in time as a warning', () => {
    const { cases } = corpus<{ cases: ChainCase[] }>('chain-vectors.json');
    const of = (name: string) => verify(cases.find((one) => one.name === name)?.events ?? []);
    expect(of('truncated_tail').ended).toBe(false);
    expect(of('valid_4').ended).toBe(true);
    expect(of('timestamp_regression').warnings[0]?.warning).toBe('timestamp_regression');
  });

  it('verify as files, also byte for byte', () => {
    for (const file of ['valid_4.trace.jsonl', 'golden-simple-resolve-concrete.trace.jsonl']) {
      const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');
      expect(verify(lines, { mode: 'exact' }).errors, file).toEqual([]);
    }
  });
});

interface TreeVectors {
  leaf_inputs: string[];
  roots: Record<string, string>;
  inclusion: { index: number; size: number; proof: string[] }[];
  consistency: { from: number; to: number; proof: string[] }[];
}

interface MerkleVectors {
  golden: TreeVectors;
  ct_reference: TreeVectors;
  checkpoint: {
    seed_hex: string;
    public_key_hex: string;
    key_name: string;
    key_id_hex: string;
    vkey: string;
    notes: { size: number; text: string; signed_note: string }[];
  };
}

describe.runIf(present)('the Merkle vectors', () => {
  const bytes = (hex: string) => fromHex(hex) as Uint8Array;

  for (const tree of ['golden', 'ct_reference'] as const) {
    it(`have the published roots and proofs (${tree})`, async () => {
      const vectors = corpus<MerkleVectors>('merkle-vectors.json')[tree];
      const leaves = vectors.leaf_inputs.map((hex) => leafHash(nodeHasher, bytes(hex)));
      const nodes = new Map<string, Uint8Array>();
      const range = new CompactRange(nodeHasher);
      for (const leaf of leaves) {
        for (const node of range.append(leaf)) nodes.set(`${node.level}/${node.index}`, node.hash);
      }
      const nodeAt: NodeAt = (level, index) => nodes.get(`${level}/${index}`) as Uint8Array;
      const rootAt = (size: number | string) => bytes(vectors.roots[String(size)] as string);

      for (const size of Object.keys(vectors.roots)) {
        expect(toHex(rootFromLeaves(nodeHasher, leaves.slice(0, Number(size))))).toBe(vectors.roots[size]);
      }
      expect(vectors.inclusion.length).toBeGreaterThan(20);
      for (const { index, size, proof } of vectors.inclusion) {
        expect((await inclusionPath(nodeHasher, size, index, nodeAt)).map(toHex)).toEqual(proof);
        const leaf = leaves[index] as Uint8Array;
        const path = proof.map(bytes);
        expect(verifyInclusion(nodeHasher, { leaf, index, size, path, root: rootAt(size) })).toBe(true);
      }
      expect(vectors.consistency.length).toBeGreaterThan(20);
      for (const { from, to, proof } of vectors.consistency) {
        expect((await consistencyPath(nodeHasher, from, to, nodeAt)).map(toHex)).toEqual(proof);
        const claim = { first: from, firstRoot: rootAt(from), second: to, secondRoot: rootAt(to) };
        expect(verifyConsistency(nodeHasher, { ...claim, path: proof.map(bytes) })).toBe(true);
      }
    });
  }

  it('sign the published checkpoints byte for byte', async () => {
    const { checkpoint, golden } = corpus<MerkleVectors>('merkle-vectors.json');
    const seed = bytes(checkpoint.seed_hex);
    const publicKey = ed25519.publicKeyRaw(seed);
    const name = checkpoint.key_name;
    expect(toHex(publicKey)).toBe(checkpoint.public_key_hex);
    expect(noteKeyId(nodeHasher, name, publicKey)).toBe(checkpoint.key_id_hex);
    const key = parseVerifierKey(nodeHasher, checkpoint.vkey);
    expect(formatVerifierKey(key)).toBe(checkpoint.vkey);
    for (const { size, text, signed_note } of checkpoint.notes) {
      const body = checkpointBody(name, size, bytes(golden.roots[String(size)] as string));
      expect(body).toBe(text);
      const signer = { name, publicKey, sign: (message: Uint8Array) => ed25519.sign(seed, message) };
      expect(signNote(nodeHasher, body, signer)).toBe(signed_note);
      const verified = await verifyNote(signed_note, [key], ed25519.verify);
      expect(parseCheckpoint(verified.text)).toMatchObject({ origin: name, size });
    }
  });
});
