/** The black-box suite of CRA 1.0: runs against any server. */
export type { CaseResult, CraReport, Level } from './report.ts';
export { type CraConformanceOptions, runCraConformance } from './run.ts';
