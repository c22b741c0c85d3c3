/** What the command line calls: one function for each verb of `baton run`, `baton multi` and `baton demo run`. */
export { approveCoordinatorGate, requestCoordinatorGate, resumeMulti } from '../coordinator/gate.ts';
export { startMulti } from '../coordinator/start.ts';
export { type MultiStatus, multiStatus } from '../coordinator/status.ts';
export { catchUp as catchUpMulti, type MultiStep, stepMulti } from '../coordinator/step.ts';
export { openWorkspace, type Workspace } from '../coordinator/workspace.ts';
export { type DemoOptions, type DemoResult, runDemo } from '../demo/demo.ts';
export { type Accepted, type AcceptOptions, accept } from '../engine/accept.ts';
export { type ApproveOptions, approve } from '../engine/approve.ts';
export { type Assigned, assign } from '../engine/assign.ts';
export { declineGate } from '../engine/decline.ts';
export { type Dispatched, dispatch } from '../engine/dispatch.ts';
export { type RejectOptions, reject } from '../engine/reject.ts';
export type { CommandResult } from '../engine/result.ts';
export { enforceTimeouts, escalate, resume } from '../engine/resume.ts';
export { type LoopOptions, type LoopResult, runLoop, type StopReason } from '../engine/run-loop.ts';
export { type StartOptions, startRun } from '../engine/start.ts';
export { type StepOptions, type StepResult, step } from '../engine/step.ts';
export { openRepository, type RunRepository } from '../repository/repository.ts';
export type { AskPeer } from '../runtimes/a2a.ts';
export { type RuntimeAdapters, runtimeAdapters } from '../runtimes/adapters.ts';
export { type Checkpoint, checkpointTurn } from './checkpoint.ts';
export { exportFaults, exportRun } from './export.ts';
export { type GateReport, showGate } from './gate.ts';
export { type InitOptions, type InitResult, initProject } from './init.ts';
export { type AppliedProposal, applyProposal } from './proposal.ts';
export {
  followEvents,
  listDecisions,
  listEvents,
  listHistory,
  listLedger,
  listRepoDecisions,
  type RecordFilter,
} from './records.ts';
export { type ReplayReport, replayEvidence } from './replay.ts';
export { type RunReport, reportOf } from './report.ts';
export { reportHtml, reportMarkdown } from './report-text.ts';
export { type RunStatusReport, runStatus, type TurnStanding } from './status.ts';
export { type VerifyReport, verifyRun } from './verify.ts';
