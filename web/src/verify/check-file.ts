import { type ChainReport, checkChain, checkProof, PROOF_FORMAT, type ProofReport } from '../api/verify.ts';

export type FileVerdict =
  | { readonly kind: 'proof'; readonly report: ProofReport }
  | { readonly kind: 'chain'; readonly report: ChainReport };

/** A proof says what it is; anything else is taken for a chain, one event a line. */
export async function checkFile(text: string, trustedKey: string | undefined): Promise<FileVerdict> {
  return text.slice(0, 400).includes(PROOF_FORMAT)
    ? { kind: 'proof', report: await checkProof(text, trustedKey) }
    : { kind: 'chain', report: checkChain(text) };
}
