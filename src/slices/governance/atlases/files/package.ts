import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { decodeBase64, encodeBase64 } from '../../../../kernel/base64.ts';
import { ed25519 } from '../../../../platform/ed25519.ts';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { writePrivateFile } from '../../../../platform/private-files.ts';
import { governanceErrors } from '../../errors.ts';
import { filesBelow, readInside, requireAtlas } from './read.ts';
import { readTar, writeTar } from './tar.ts';

/** Inside a package: which files it has, by hash, and which Atlas they make. */
const INDEX = 'package.json';
const FOLDERS = ['context', 'policies', 'actions', 'adapters', 'tests'];
const CONTEXT = 'baton atlas package\n';

const indexSchema = z.strictObject({
  package_version: z.literal('1'),
  atlas_id: z.string(),
  version: z.string(),
  digest: z.string(),
  files: z.record(z.string(), z.string()),
});

const signatureSchema = z.strictObject({
  algorithm: z.literal('ed25519'),
  public_key: z.string(),
  package_sha256: z.string(),
  signature: z.string(),
});

export interface Packed {
  readonly path: string;
  readonly atlas_id: string;
  readonly version: string;
  readonly digest: string;
  readonly sha256: string;
  readonly files: number;
}

/** `baton atlas pack DIR --out FILE`: the same content gives the same bytes. */
export async function packAtlas(directory: string, out: string): Promise<Packed> {
  const atlas = await requireAtlas(directory, { hasher: nodeHasher });
  const paths = ['atlas.json'];
  for (const folder of FOLDERS) paths.push(...(await filesBelow(directory, folder)));
  for (const path of atlas.files.keys()) if (!paths.includes(path)) paths.push(path);
  const files = new Map<string, Uint8Array>();
  for (const path of paths) {
    const text = await readInside(directory, path);
    if (text !== undefined) files.set(path, new TextEncoder().encode(text));
  }
  const { atlas_id, version } = atlas.manifest;
  const hashes = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, bytes]) => [path, nodeHasher.hex(bytes)]);
  const index = {
    package_version: '1',
    atlas_id,
    version,
    digest: atlas.digest,
    files: Object.fromEntries(hashes),
  };
  files.set(INDEX, new TextEncoder().encode(`${JSON.stringify(index, null, 2)}\n`));
  const bytes = writeTar(files);
  await writePrivateFile(out, bytes);
  return {
    path: out,
    atlas_id,
    version,
    digest: atlas.digest,
    sha256: nodeHasher.hex(bytes),
    files: files.size,
  };
}

/** `baton atlas sign FILE --key SEED`: writes `FILE.sig`. */
export async function signAtlas(
  path: string,
  seed: Uint8Array,
): Promise<{ readonly path: string; readonly public_key: string }> {
  const sha256 = nodeHasher.hex(await readFile(path));
  const signature = ed25519.sign(seed, new TextEncoder().encode(`${CONTEXT}${sha256}\n`));
  const publicKey = encodeBase64(ed25519.publicKeyRaw(seed));
  const document = {
    algorithm: 'ed25519',
    public_key: publicKey,
    package_sha256: sha256,
    signature: encodeBase64(signature),
  };
  await writePrivateFile(`${path}.sig`, `${JSON.stringify(document, null, 2)}\n`);
  return { path: `${path}.sig`, public_key: publicKey };
}

export interface Verified {
  readonly valid: boolean;
  readonly problems: readonly string[];
  readonly atlas_id: string | null;
  readonly version: string | null;
  readonly digest: string | null;
  /** Base64; null without a signature. Only the caller can know whose key it is. */
  readonly signed_by: string | null;
}

/** `baton atlas verify FILE [--key PUBLIC]`: every file against the index, and the signature against the bytes. */
export async function verifyAtlas(path: string, trustedKey?: string): Promise<Verified> {
  const bytes = await readFile(path);
  const problems: string[] = [];
  const files = readTar(bytes);
  const index = indexOf(files.get(INDEX));
  for (const [name, content] of files) {
    if (name === INDEX) continue;
    if (index.files[name] === undefined) problems.push(`${name} is not in the index`);
    else if (index.files[name] !== nodeHasher.hex(content)) problems.push(`${name} is not what was packed`);
  }
  for (const name of Object.keys(index.files)) if (!files.has(name)) problems.push(`${name} is missing`);
  const signer = await checkSignature(path, bytes, problems);
  if (trustedKey !== undefined && signer !== trustedKey) {
    problems.push(signer === null ? 'the package is not signed' : 'the package is signed by another key');
  }
  return {
    valid: problems.length === 0,
    problems,
    atlas_id: index.atlas_id,
    version: index.version,
    digest: index.digest,
    signed_by: signer,
  };
}

function indexOf(content: Uint8Array | undefined): z.infer<typeof indexSchema> {
  try {
    const parsed = indexSchema.safeParse(JSON.parse(new TextDecoder().decode(content)));
    if (parsed.success) return parsed.data;
  } catch {
    // Reported below, like any other invalid index.
  }
  throw governanceErrors.atlas_signature_invalid({ message: 'The package has no index.' });
}

async function checkSignature(path: string, bytes: Uint8Array, problems: string[]): Promise<string | null> {
  const text = await readFile(`${path}.sig`, 'utf8').catch(() => undefined);
  if (text === undefined) return null;
  const document = signatureSchema.safeParse(safeJson(text));
  const key = document.success ? decodeBase64(document.data.public_key) : undefined;
  const signature = document.success ? decodeBase64(document.data.signature) : undefined;
  if (!document.success || !key || !signature) {
    problems.push('the signature file is not readable');
    return null;
  }
  const sha256 = nodeHasher.hex(bytes);
  const message = new TextEncoder().encode(`${CONTEXT}${sha256}\n`);
  if (document.data.package_sha256 !== sha256 || !ed25519.verify(key, message, signature)) {
    problems.push('the signature does not fit the package');
  }
  return document.data.public_key;
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
