import { describe, expect, it } from 'vitest';
import { ed25519, nodeHasher } from '../../platform/index.ts';
import { checkpointBody, parseCheckpoint } from './checkpoint.ts';
import { formatNote, parseNote, signNote, verifyNote } from './signed-note.ts';
import { formatVerifierKey, noteKeyId, parseVerifierKey, verifierKey } from './verifier-key.ts';

function signerOf(name: string, firstByte: number) {
  const seed = Uint8Array.from({ length: 32 }, (_, at) => (at + firstByte) & 0xff);
  const publicKey = ed25519.publicKeyRaw(seed);
  const sign = (message: Uint8Array) => ed25519.sign(seed, message);
  return { name, publicKey, sign, key: verifierKey(nodeHasher, name, publicKey) };
}

const log = signerOf('example.org/log', 0);
const witness = signerOf('example.org/witness', 7);
const root = nodeHasher.bytes('root');
const body = checkpointBody('example.org/log', 42, root);
const note = signNote(nodeHasher, body, log);

describe('a checkpoint', () => {
  it('is three lines that read back', () => {
    expect(body).toBe(`example.org/log\n42\n${Buffer.from(root).toString('base64')}\n`);
    expect(parseCheckpoint(body)).toEqual({ origin: 'example.org/log', size: 42, root, extensions: [] });
    const extended = checkpointBody('example.org/log', 42, root, ['one', 'two 2']);
    expect(extended).toBe(`${body}one\ntwo 2\n`);
    expect(parseCheckpoint(extended)).toMatchObject({ size: 42, extensions: ['one', 'two 2'] });
  });

  it.each([
    ['no root', 'log\n42\n'],
    ['no size', `log\n${Buffer.from(root).toString('base64')}\n`],
    ['a size with a leading zero', body.replace('42', '042')],
    ['a size that is too large', body.replace('42', '9007199254740993')],
    ['a negative size', body.replace('42', '-42')],
    ['a root of the wrong length', 'log\n42\nAAAA\n'],
    ['no origin', body.replace('example.org/log', '')],
    ['no final line feed', body.slice(0, -1)],
  ])('is refused with %s', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(expect.objectContaining({ code: 'malformed_checkpoint' }));
  });
});

describe('a signed note', () => {
  it('reads back as text and signatures', () => {
    const parsed = parseNote(note);
    expect(parsed.text).toBe(body);
    expect(parsed.signatures).toHaveLength(1);
    expect(parsed.signatures[0]).toMatchObject({ name: log.name, keyId: log.key.keyId });
    expect(formatNote(parsed.text, parsed.signatures)).toBe(note);
  });

  it('is verified by the key that signed it, among others', async () => {
    const verified = await verifyNote(note, [witness.key, log.key], ed25519.verify);
    expect(verified).toEqual({ text: body, signedBy: [log.key] });
  });

  it('may carry signatures of several keys and of unknown ones', async () => {
    const signatures = [witness, log].flatMap(
      (signer) => parseNote(signNote(nodeHasher, body, signer)).signatures,
    );
    const unknown = { name: 'elsewhere', keyId: '01020304', signature: new Uint8Array(64) };
    const cosigned = formatNote(body, [unknown, ...signatures]);
    const verified = await verifyNote(cosigned, [log.key, witness.key], ed25519.verify);
    expect(verified.signedBy).toEqual([witness.key, log.key]);
  });

  it('is not trusted when no known key signed it', async () => {
    await expect(verifyNote(note, [witness.key], ed25519.verify)).rejects.toMatchObject({
      code: 'note_not_trusted',
    });
    await expect(verifyNote(note, [], ed25519.verify)).rejects.toMatchObject({ code: 'note_not_trusted' });
  });

  it('is forged when the text or the signature was changed', async () => {
    const changed = note.replace('\n42\n', '\n43\n');
    await expect(verifyNote(changed, [log.key], ed25519.verify)).rejects.toMatchObject({
      code: 'note_forged',
    });
    const [signature] = parseNote(note).signatures;
    const other = { ...signature!, signature: Uint8Array.from(signature!.signature, (byte) => byte ^ 1) };
    await expect(verifyNote(formatNote(body, [other]), [log.key], ed25519.verify)).rejects.toMatchObject({
      code: 'note_forged',
    });
  });

  it.each([
    ['no signature', body],
    ['no blank line', note.replace('\n\n', '\n')],
    ['a final line cut short', note.slice(0, -1)],
    ['a hyphen for a dash', note.replace('\u2014', '-')],
    ['a signature that is no base64', note.replace(/ \S+\n$/, ' ????\n')],
    ['a signature of nothing but a key id', note.replace(/ \S+\n$/, ' AQIDBA==\n')],
    ['a control character', note.replace('example', 'exa\tmple')],
    ['a carriage return', note.replaceAll('\n', '\r\n')],
  ])('is malformed with %s', (_, text) => {
    expect(() => parseNote(text)).toThrow(expect.objectContaining({ code: 'malformed_note' }));
  });

  it('is only made of whole lines', () => {
    expect(() => signNote(nodeHasher, 'no line feed', log)).toThrow(RangeError);
  });
});

describe('a verifier key', () => {
  it('is published as name, id and key, and reads back', () => {
    const text = formatVerifierKey(log.key);
    expect(text).toMatch(/^example\.org\/log\+[0-9a-f]{8}\+[A-Za-z0-9+/]+=*$/);
    expect(parseVerifierKey(nodeHasher, text)).toEqual(log.key);
    expect(log.key.keyId).toBe(noteKeyId(nodeHasher, log.name, log.publicKey));
  });

  it.each([
    ['another name', formatVerifierKey(log.key).replace('example', 'exemple')],
    ['another id', formatVerifierKey({ ...log.key, keyId: '00000000' })],
    ['another kind of key', formatVerifierKey(log.key).replace(/\+A/, '+B')],
    ['nothing', ''],
    ['no key', 'name+00000000+'],
  ])('is refused with %s', (_, text) => {
    expect(() => parseVerifierKey(nodeHasher, text)).toThrow(
      expect.objectContaining({ code: 'malformed_key' }),
    );
  });
});
