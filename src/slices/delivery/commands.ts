/** What the command line calls: one function for each verb of `baton run`, `baton multi` and `baton demo run`. */
export { type InitOptions, type InitResult, initProject } from './config/init.ts';
export { presets } from './config/presets.ts';
export { TEMPLATES } from './config/scaffold.ts';
export { approveCoordinatorGate, requestCoordinatorGate, resumeMulti } from './coordinator/gate.ts';
export { startMulti } from './coordinator/start.ts';
export { type MultiStatus, multiStatus } from './coordinator/status.ts';
export { adoptRuns, catchUp as catchUpMulti, type MultiStep, stepMulti } from './coordinator/step.ts';
export { openWorkspace, type Workspace } from './coordinator/workspace.ts';
export { type GateReport, showGate } from './gates/current-gate.ts';
export { type ApproveOptions, approve, declineGate } from './gates/decide.ts';
export { type GateView, viewGate } from './gates/gate-view.ts';
export type { NewIntent, QueuedIntent } from './intake/intent.ts';
export { readIssues } from './intake/issues.ts';
export { addIntents, listIntents } from './intake/queue.ts';
export { runsFolder } from './repository/keep.ts';
export { openRepository, type RunRepository } from './repository/repository.ts';
export { type Adopted, adoptChanges, restoreFiles } from './runs/adopt.ts';
export { type CommandResult, commandResult } from './runs/apply.ts';
export { attachmentOf, UNATTACHED } from './runs/attachment.ts';
export { reportGithub, reportJunit } from './runs/ci-report.ts';
export { beginDemoRun, type DemoOptions, type DemoResult, runDemo } from './runs/demo.ts';
export { type Diagnosis, diagnose } from './runs/doctor.ts';
export { exportFaults, exportRun } from './runs/export.ts';
export {
  followEvents,
  listDecisions,
  listEvents,
  listHistory,
  listLedger,
  listRepoDecisions,
  type RecordFilter,
} from './runs/list.ts';
export { type LoopOptions, type LoopResult, runLoop, type StopReason } from './runs/loop.ts';
export { type RunReport, reportHtml, reportMarkdown, reportOf } from './runs/report.ts';
export { enforceLimits, escalate, resume } from './runs/resume.ts';
export { type StartOptions, startRun } from './runs/start.ts';
export { type RunStatusReport, runStatus, type TurnStanding } from './runs/status.ts';
export { type TrialTurn, tryTurn } from './runs/try-turn.ts';
export { type CompareWithRecord, type VerifyReport, verifyRun } from './runs/verify.ts';
export type { AskPeer } from './runtimes/a2a.ts';
export { type RuntimeAdapters, runtimeAdapters } from './runtimes/adapters.ts';
export { takeModelTurn } from './runtimes/model-turn.ts';
export { readTurnLog } from './runtimes/turn-log.ts';
export { type Accepted, type AcceptOptions, accept } from './turns/accept.ts';
export { type Assigned, assign } from './turns/assign.ts';
export { type Checkpoint, checkpointTurn } from './turns/checkpoint.ts';
export { type Dispatched, dispatch } from './turns/dispatch.ts';
export { type AppliedProposal, applyProposal } from './turns/proposal.ts';
export { type RejectOptions, reject } from './turns/reject.ts';
export { type ReplayReport, replayEvidence } from './turns/replay.ts';
export { type StepOptions, type StepResult, step } from './turns/step.ts';
export { runUnattended, type UnattendedResult } from './unattended/run-unattended.ts';
