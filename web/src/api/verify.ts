/** The kernel's verification, run in this browser. Loaded with the pages that check something. */
export {
  type ChainReport,
  type CheckpointReport,
  checkChain,
  checkCheckpoint,
  checkEntries,
  checkManifest,
  checkProof,
  checkRunExport,
  checkWhy,
  type DigestReport,
  type EntryCheck,
  kindOfFile,
  type ManifestReport,
  type ProofReport,
  type WhyProofReport,
} from '@baton-ledger/client/verify';
