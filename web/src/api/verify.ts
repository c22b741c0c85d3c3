/** The kernel's verification, run in this browser. Loaded with the pages that check something. */
export {
  type ChainReport,
  checkChain,
  checkEntries,
  checkProof,
  type EntryCheck,
  PROOF_FORMAT,
  type ProofReport,
} from '@baton-ledger/client/verify';
