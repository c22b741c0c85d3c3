/** Checks of files that hold their own digests or a signature, besides chains and proofs. */
import { decodeBase64, toHex } from '../../../src/kernel/base64.ts';
import { BatonError } from '../../../src/kernel/error.ts';
import { parseCheckpoint } from '../../../src/kernel/note/checkpoint.ts';
import { parseNote, type VerifyEd25519, verifyNote } from '../../../src/kernel/note/signed-note.ts';
import { parseVerifierKey } from '../../../src/kernel/note/verifier-key.ts';
import { portableHasher } from '../../../src/kernel/sha256.ts';

export interface CheckpointReport {
  /** Undefined: nothing was given to check the signature with. */
  readonly valid: boolean | undefined;
  readonly trusted: boolean;
  readonly origin: string | null;
  readonly size: number | null;
  readonly root: string | null;
  readonly error: string | null;
}

/** A signed note, or the JSON of one with the key of its server; a trusted key counts alone. */
export async function checkCheckpoint(
  text: string,
  verify: VerifyEd25519,
  trustedKey?: string,
): Promise<CheckpointReport> {
  const trusted = trustedKey !== undefined;
  const nothing = { trusted, origin: null, size: null, root: null };
  try {
    const { note, key } = noteOf(text);
    const chosen = trustedKey ?? key;
    const { origin, size, root } = parseCheckpoint(parseNote(note).text);
    const head = { trusted, origin, size, root: toHex(root) };
    if (chosen === undefined) return { ...head, valid: undefined, error: null };
    await verifyNote(note, [parseVerifierKey(portableHasher, chosen)], verify);
    return { ...head, valid: true, error: null };
  } catch (error) {
    if (!(error instanceof BatonError)) throw error;
    return { ...nothing, valid: false, error: error.message };
  }
}

function noteOf(text: string): { readonly note: string; readonly key: string | undefined } {
  if (!text.trimStart().startsWith('{')) return { note: text, key: undefined };
  const { note, verifier_key: key } = JSON.parse(text) as { note: string; verifier_key: string };
  return { note, key };
}

export interface DigestReport {
  readonly valid: boolean;
  readonly files: number;
  /** Undefined: it says nothing about a project or a run. */
  readonly about: string | undefined;
  readonly faults: readonly string[];
}

/** Whether each file in the document has the digest and the size that stand beside it. */
export function checkRunExport(text: string): DigestReport {
  const { files, run_id } = JSON.parse(text) as {
    files: Record<string, { sha256?: unknown; bytes?: unknown; content_base64?: unknown }>;
    run_id?: unknown;
  };
  const named = Object.entries(files);
  const faults = named.flatMap(([path, file]) => {
    const bytes = typeof file?.content_base64 === 'string' ? decodeBase64(file.content_base64) : undefined;
    if (bytes === undefined) return [`${path} has no content.`];
    if (portableHasher.hex(bytes) !== file.sha256)
      return [`${path} does not have the digest that it claims.`];
    return bytes.length === file.bytes ? [] : [`${path} does not have the size that it claims.`];
  });
  const about = typeof run_id === 'string' ? run_id : undefined;
  return { valid: faults.length === 0, files: named.length, about, faults };
}

export interface ManifestReport extends DigestReport {
  /** Files that the manifest names and that were not handed in with it. */
  readonly missing: readonly string[];
}

/** The files of an exported project against their manifest. */
export function checkManifest(
  manifest: string,
  given: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): ManifestReport {
  const { files, project_id } = JSON.parse(manifest) as {
    files?: Record<string, { sha256?: unknown }>;
    project_id?: unknown;
  };
  const named = Object.entries(files ?? {});
  const missing: string[] = [];
  const faults: string[] = [];
  for (const [name, { sha256 }] of named) {
    const file = given.find((each) => each.name === name);
    if (!file) missing.push(name);
    else if (portableHasher.hex(file.bytes) !== sha256)
      faults.push(`${name} does not have the digest that the manifest claims.`);
  }
  const about = typeof project_id === 'string' ? project_id : undefined;
  return { valid: faults.length === 0, files: named.length - missing.length, about, faults, missing };
}
