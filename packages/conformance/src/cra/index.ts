/** The CRA suite: black-box cases over the protocol's requirements, against any base URL. */
export type { CaseResult, CraReport, Level } from './report.ts';
export { type CraConformanceOptions, runCraConformance } from './run.ts';
