import type { Micros } from '../../../../kernel/clock.ts';
import type { Hasher } from '../../../../kernel/hasher.ts';
import { formatMillis } from '../../../../kernel/instant.ts';
import { asRecord, isRecord, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import { done, type Outcome, refuse } from '../../outcome.ts';

export const MANIFEST_FILE = 'MANIFEST.json';

export interface ManifestEntry {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

export interface Manifest extends LooseRecord {
  readonly manifest_version: '1.0';
  readonly run_id: string;
  readonly turn_id: string;
  readonly role: string;
  readonly finalized_at: string;
  readonly files: readonly ManifestEntry[];
}

/** A bundle's files by their path in its directory. */
export type BundleFiles = ReadonlyMap<string, Uint8Array>;

export function sealManifest(
  files: BundleFiles,
  about: { readonly runId: string; readonly turnId: string; readonly role: string },
  now: Micros,
  hasher: Hasher,
): Outcome<Manifest> {
  const paths = [...files.keys()].filter((path) => path !== MANIFEST_FILE).sort();
  if (paths.length === 0) {
    return refuse({
      type: 'finalization_failed',
      rule: 'dispatch.seal',
      message: `The bundle of turn ${about.turnId} is empty.`,
      next: 'Write the bundle again: baton run step',
    });
  }
  return done({
    manifest_version: '1.0',
    run_id: about.runId,
    turn_id: about.turnId,
    role: about.role,
    finalized_at: formatMillis(now),
    files: paths.map((path) => entryOf(path, files.get(path) ?? new Uint8Array(), hasher)),
  });
}

function entryOf(path: string, bytes: Uint8Array, hasher: Hasher): ManifestEntry {
  return { path, sha256: hasher.hex(bytes), size: bytes.byteLength };
}

export interface ManifestFault {
  readonly type:
    | 'missing_manifest'
    | 'invalid_manifest'
    | 'missing_file'
    | 'size_mismatch'
    | 'digest_mismatch'
    | 'unexpected_file';
  readonly path: string;
  readonly detail: string;
}

export interface ManifestReport {
  readonly manifest: Manifest | null;
  readonly faults: readonly ManifestFault[];
}

/** `parsed` is the manifest as read: undefined when the file is absent, null when it is not JSON. */
export function verifyManifest(parsed: unknown, files: BundleFiles, hasher: Hasher): ManifestReport {
  if (parsed === undefined) return broken('missing_manifest', 'The bundle has no manifest.');
  if (!isManifest(parsed))
    return broken('invalid_manifest', 'The manifest is not a JSON object with version and files.');
  const declared = new Set(parsed.files.map((entry) => entry.path));
  const faults: ManifestFault[] = parsed.files.flatMap((entry) =>
    entryFaults(entry, files.get(entry.path), hasher),
  );
  for (const path of [...files.keys()].sort()) {
    if (path === MANIFEST_FILE || declared.has(path)) continue;
    faults.push({ type: 'unexpected_file', path, detail: `${path} appeared after the bundle was sealed.` });
  }
  return { manifest: parsed, faults };
}

function entryFaults(entry: ManifestEntry, bytes: Uint8Array | undefined, hasher: Hasher): ManifestFault[] {
  const { path } = entry;
  if (bytes === undefined) return [{ type: 'missing_file', path, detail: `${path} is gone.` }];
  const faults: ManifestFault[] = [];
  if (bytes.byteLength !== entry.size) {
    faults.push({
      type: 'size_mismatch',
      path,
      detail: `${path} has ${bytes.byteLength} bytes, sealed were ${entry.size}.`,
    });
  }
  if (hasher.hex(bytes) !== entry.sha256) {
    faults.push({ type: 'digest_mismatch', path, detail: `${path} is not what was sealed.` });
  }
  return faults;
}

function isManifest(value: unknown): value is Manifest {
  if (!isRecord(value) || !isString(value.manifest_version) || !Array.isArray(value.files)) return false;
  return value.files.every((raw) => {
    const entry = asRecord(raw);
    return (
      isString(entry.path) &&
      isString(entry.sha256) &&
      Number.isInteger(entry.size) &&
      staysInside(entry.path)
    );
  });
}

/** A manifest must not point outside its bundle. */
function staysInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && !path.includes('\\') && !path.split('/').includes('..');
}

function broken(type: ManifestFault['type'], detail: string): ManifestReport {
  return { manifest: null, faults: [{ type, path: MANIFEST_FILE, detail }] };
}
