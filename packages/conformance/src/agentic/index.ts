/** The black-box suite of the Agentic Protocol 0.1: runs against any server. */
export { httpTarget } from '../target.ts';
export type { Level } from './check.ts';
export { type ReportForm, renderReport } from './report.ts';
export { type Result, runSuite, type SuiteReport } from './run.ts';
