import { describe, expect, it } from 'vitest';
import { ed25519, nodeHasher } from '../platform/index.ts';
import { fromHex } from './base64.ts';
import { readJson } from './json/reader.ts';
import { CompactRange } from './merkle/compact-range.ts';
import { leafHash } from './merkle/hash.ts';
import { inclusionPath } from './merkle/paths.ts';
import { checkpointBody } from './note/checkpoint.ts';
import { signNote } from './note/signed-note.ts';
import { formatVerifierKey, verifierKey } from './note/verifier-key.ts';
import { checkProofBundle, formatProofBundle, type ProofBundle, proofBundle } from './proof-bundle.ts';
import { portableHasher } from './sha256.ts';
import type { TraceEvent } from './trace/event.ts';
import { chainOf, SESSION } from './trace/testing.ts';

const ORIGIN = 'example.org/log';
const seed = new Uint8Array(32).fill(9);
const publicKey = ed25519.publicKeyRaw(seed);
const vkey = formatVerifierKey(verifierKey(nodeHasher, ORIGIN, publicKey));
const otherKey = formatVerifierKey(
  verifierKey(nodeHasher, ORIGIN, ed25519.publicKeyRaw(new Uint8Array(32).fill(8))),
);

async function prove(index: number): Promise<{ event: TraceEvent; bundle: ProofBundle }> {
  const events = chainOf([
    ...SESSION,
    { type: 'error.occurred', payload: readJson('{"n":1.0,"big":12345678901234567890}') as never },
  ]);
  const range = new CompactRange(nodeHasher);
  const nodes = new Map<string, Uint8Array>();
  for (const { event_hash } of events) {
    for (const node of range.append(leafHash(nodeHasher, fromHex(event_hash) as Uint8Array))) {
      nodes.set(`${node.level}/${node.index}`, node.hash);
    }
  }
  const path = await inclusionPath(
    nodeHasher,
    range.size,
    index,
    (level, at) => nodes.get(`${level}/${at}`) as Uint8Array,
  );
  const checkpoint = signNote(nodeHasher, checkpointBody(ORIGIN, range.size, range.root()), {
    name: ORIGIN,
    publicKey,
    sign: (message) => ed25519.sign(seed, message),
  });
  const event = events[index] as TraceEvent;
  return { event, bundle: proofBundle({ event, leafIndex: index, path, checkpoint, verifierKey: vkey }) };
}

describe('a proof file', () => {
  it('proves its event to whoever trusts the key, with any hasher', async () => {
    for (let index = 0; index <= SESSION.length; index += 1) {
      const { event, bundle } = await prove(index);
      const text = formatProofBundle(bundle);
      for (const hasher of [nodeHasher, portableHasher]) {
        expect(await checkProofBundle(text, hasher, ed25519.verify, vkey)).toEqual({
          valid: true,
          trusted: true,
          event_hash: event.event_hash,
          leaf_index: index,
          tree_size: SESSION.length + 1,
          origin: ORIGIN,
          error: null,
        });
      }
      expect((await checkProofBundle(bundle, nodeHasher, ed25519.verify, vkey)).valid).toBe(true);
    }
  });

  it('is checked by its own key when none is brought, and says so', async () => {
    const { bundle } = await prove(2);
    const verifyLater = async (...parts: Parameters<typeof ed25519.verify>) => ed25519.verify(...parts);
    expect(await checkProofBundle(bundle, nodeHasher, verifyLater)).toMatchObject({
      valid: true,
      trusted: false,
    });
  });

  it('is refused by another key', async () => {
    const { bundle } = await prove(2);
    expect(await checkProofBundle(bundle, nodeHasher, ed25519.verify, otherKey)).toMatchObject({
      valid: false,
      trusted: true,
      error: { code: 'note_not_trusted' },
    });
  });

  it('is refused whatever part is changed', async () => {
    const { event, bundle } = await prove(2);
    const changed: [string, unknown][] = [
      ['hash_mismatch', { ...bundle, event: { ...event, payload: { ...event.payload, result: 'deny' } } }],
      ['hash_mismatch', { ...bundle, event: { ...event, sequence: 3 } }],
      ['invalid_event', { ...bundle, event: { ...event, session_id: 'x' } }],
      ['invalid_event', { ...bundle, event: { ...event, severity: 'high' } }],
      ['payload_pruned', { ...bundle, event: { ...event, payload: null } }],
      ['invalid_event', { ...bundle, event: undefined }],
      ['not_included', { ...bundle, leaf_index: 3 }],
      ['not_included', { ...bundle, inclusion_path: bundle.inclusion_path.slice(1) }],
      ['not_included', { ...bundle, inclusion_path: bundle.inclusion_path.with(0, '0'.repeat(64)) }],
      ['malformed_proof', { ...bundle, inclusion_path: ['zz'] }],
      ['malformed_proof', { ...bundle, inclusion_path: 'none' }],
      ['malformed_proof', { ...bundle, leaf_index: '2' }],
      ['malformed_proof', { ...bundle, format: 'other' }],
      ['malformed_proof', []],
      ['note_forged', { ...bundle, checkpoint: bundle.checkpoint.replace('\n9\n', '\n8\n') }],
      ['malformed_note', { ...bundle, checkpoint: 'none' }],
      ['malformed_key', { ...bundle, verifier_key: 'none' }],
    ];
    for (const [code, value] of changed) {
      const report = await checkProofBundle(value as ProofBundle, nodeHasher, ed25519.verify);
      expect(report).toMatchObject({ valid: false, error: { code } });
    }
    expect(await checkProofBundle('{', nodeHasher, ed25519.verify)).toMatchObject({
      error: { code: 'invalid_json' },
    });
  });

  it('is refused when the checkpoint is of another log than its key', async () => {
    const { bundle } = await prove(2);
    const name = 'example.org/other';
    const [, , ...rest] = bundle.checkpoint.split('\n\n')[0]!.split('\n');
    const body = `${ORIGIN}\n9\n${rest.join('\n')}\n`;
    const checkpoint = signNote(nodeHasher, body, {
      name,
      publicKey,
      sign: (message) => ed25519.sign(seed, message),
    });
    const verifier_key = formatVerifierKey(verifierKey(nodeHasher, name, publicKey));
    expect(
      await checkProofBundle({ ...bundle, checkpoint, verifier_key }, nodeHasher, ed25519.verify),
    ).toMatchObject({
      error: { code: 'origin_mismatch' },
    });
  });
});
