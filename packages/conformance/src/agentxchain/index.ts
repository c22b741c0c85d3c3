/** The AgentXchain verifier: runs a corpus of fixtures against any implementation and reports the result. */
export { type CheckOptions, checkConformance } from './check.ts';
export { type ConformanceReport, EXIT_CODES, reportText, type TierReport } from './report.ts';
