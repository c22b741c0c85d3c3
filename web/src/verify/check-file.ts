import { record } from '../api/shape.ts';
import {
  type ChainReport,
  type CheckpointReport,
  type ConsistencyReport,
  checkChain,
  checkCheckpoint,
  checkConsistency,
  checkManifest,
  checkProof,
  checkRunExport,
  checkWhy,
  type DigestReport,
  kindOfFile,
  type ManifestReport,
  type ProofReport,
  type WhyProofReport,
} from '../api/verify.ts';

export type FileVerdict =
  | { readonly kind: 'proof'; readonly report: ProofReport }
  | { readonly kind: 'why'; readonly report: WhyProofReport }
  | { readonly kind: 'chain'; readonly report: ChainReport }
  | { readonly kind: 'checkpoint'; readonly report: CheckpointReport }
  | { readonly kind: 'consistency'; readonly report: ConsistencyReport }
  | { readonly kind: 'run-export'; readonly report: DigestReport }
  | { readonly kind: 'manifest'; readonly report: ManifestReport }
  | { readonly kind: 'export-lines'; readonly report: DigestReport | undefined }
  | { readonly kind: 'unknown' };

export interface HandedIn {
  readonly name: string;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** A file is what its content says. Files of an exported project are checked by the manifest that comes with them. */
export async function checkFile(
  file: HandedIn,
  others: readonly HandedIn[],
  trustedKey: string | undefined,
): Promise<FileVerdict> {
  const kind = kindOfFile(file.text);
  const named = others.find((other) => names(other, file.name));
  // What a manifest names belongs to its export, whatever is in it: some files of an export are empty.
  if (named && (kind === 'export-lines' || kind === 'unknown')) {
    return { kind: 'export-lines', report: checkManifest(named.text, [file]) };
  }
  switch (kind) {
    case 'proof':
      return { kind, report: await checkProof(file.text, trustedKey) };
    case 'why':
      return { kind, report: await checkWhy(file.text, trustedKey) };
    case 'consistency':
      return { kind, report: await checkConsistency(file.text, trustedKey) };
    case 'chain':
      return { kind, report: checkChain(file.text) };
    case 'checkpoint':
      return { kind, report: await checkCheckpoint(file.text, trustedKey) };
    case 'run-export':
      return { kind, report: checkRunExport(file.text) };
    case 'manifest':
      return { kind, report: checkManifest(file.text, others) };
    case 'export-lines':
      return { kind, report: undefined };
    default:
      return { kind: 'unknown' };
  }
}

function names({ text }: HandedIn, name: string): boolean {
  return kindOfFile(text) === 'manifest' && name in record(record(JSON.parse(text)).files);
}
