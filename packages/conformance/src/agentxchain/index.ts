/** The AgentXchain verifier: runs a corpus of fixtures against any implementation and says how it did. */
export { type CheckOptions, checkConformance } from './check.ts';
export { type ConformanceReport, EXIT_CODES, reportText, type TierReport } from './report.ts';
