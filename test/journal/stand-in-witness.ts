/** A witness by C2SP tlog-witness: it checks signature and consistency itself, and never cosigns two histories of one log. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeBase64 } from '../../src/kernel/base64.ts';
import { sameHash } from '../../src/kernel/merkle/hash.ts';
import { verifyConsistency } from '../../src/kernel/merkle/verify.ts';
import { parseCheckpoint } from '../../src/kernel/note/checkpoint.ts';
import { cosignedMessage, timestamped } from '../../src/kernel/note/cosignature.ts';
import { formatNote, verifyNote } from '../../src/kernel/note/signed-note.ts';
import {
  COSIGNATURE_ED25519,
  formatVerifierKey,
  parseVerifierKey,
  verifierKey,
} from '../../src/kernel/note/verifier-key.ts';
import { ed25519, nodeHasher } from '../../src/platform/index.ts';

export interface StandInWitness {
  /** As BATON_WITNESSES takes it. */
  readonly entry: string;
  readonly key: string;
  readonly host: string;
  readonly name: string;
  /** What it has cosigned last. */
  readonly seen: { size: number; root: Uint8Array } | undefined;
  /** The logs that it knows, as `name+id+key`. */
  knows(logKey: string): void;
  /** It has seen this head of the log, which the log forgot. */
  restored(head: { size: number; root: Uint8Array }): void;
  /** Answers like this instead, until told otherwise. */
  misbehave(how: ((note: string) => { status: number; text: string }) | undefined): void;
  readonly requests: readonly { readonly old: number; readonly proof: number }[];
  close(): Promise<void>;
}

const SECONDS = 1_800_000_000;

export async function startWitness(name: string): Promise<StandInWitness> {
  const { seed } = ed25519.generate();
  const own = verifierKey(nodeHasher, name, ed25519.publicKeyRaw(seed), COSIGNATURE_ED25519);
  const logs = new Map<string, string>();
  const requests: { old: number; proof: number }[] = [];
  let seen: { size: number; root: Uint8Array } | undefined;
  let odd: ((note: string) => { status: number; text: string }) | undefined;

  async function addCheckpoint(body: string): Promise<{ status: number; text: string }> {
    const blank = body.indexOf('\n\n');
    const [oldLine = '', ...proof] = body.slice(0, blank).split('\n');
    const note = body.slice(blank + 2);
    const old = Number(/^old (\d+)$/.exec(oldLine)?.[1]);
    const path = proof.map((line) => decodeBase64(line));
    if (!Number.isInteger(old) || path.length > 63 || path.some((hash) => hash?.length !== 32))
      return { status: 400, text: '' };
    requests.push({ old, proof: path.length });
    if (odd) return odd(note);
    const origin = note.split('\n')[0] ?? '';
    const logKey = logs.get(origin);
    if (!logKey) return { status: 404, text: '' };
    const trusted = [parseVerifierKey(nodeHasher, logKey)];
    const verified = await verifyNote(note, trusted, ed25519.verify).catch(() => undefined);
    if (!verified) return { status: 403, text: '' };
    const { size, root } = parseCheckpoint(verified.text);
    if (old > size) return { status: 400, text: '' };
    if (old !== (seen?.size ?? 0)) return { status: 409, text: `${seen?.size ?? 0}\n` };
    if (seen && old === size && !sameHash(root, seen.root)) return { status: 409, text: `${seen.size}\n` };
    const continues =
      old === 0
        ? path.length === 0
        : verifyConsistency(nodeHasher, {
            first: old,
            firstRoot: seen?.root ?? new Uint8Array(32),
            second: size,
            secondRoot: root,
            path: path as Uint8Array[],
          });
    if (!continues) return { status: 422, text: '' };
    seen = { size, root };
    const signature = timestamped(SECONDS, ed25519.sign(seed, cosignedMessage(verified.text, SECONDS)));
    return { status: 200, text: formatNote('', [{ name, keyId: own.keyId, signature }]).slice(1) };
  }

  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const right = request.method === 'POST' && request.url === '/log/add-checkpoint';
    const answer = right
      ? await addCheckpoint(Buffer.concat(pieces).toString('utf8'))
      : { status: 404, text: '' };
    const type = answer.status === 409 ? 'text/x.tlog.size' : 'text/plain';
    response.writeHead(answer.status, { 'content-type': type }).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = formatVerifierKey(own, COSIGNATURE_ED25519);
  return {
    entry: `http://${host}/log/ ${key}`,
    key,
    host,
    name,
    get seen() {
      return seen;
    },
    knows: (logKey) => logs.set(logKey.split('+')[0] ?? '', logKey),
    restored: (head) => {
      seen = head;
    },
    misbehave: (how) => {
      odd = how;
    },
    requests,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
