import { member } from '../../../kernel/json/loose.ts';

export type WriteAuthority = 'authoritative' | 'proposed' | 'review_only';
export type RuntimeType = 'manual' | 'local_cli' | 'api_proxy' | 'mcp' | 'remote_agent' | 'a2a';

export interface Role {
  readonly title: string;
  readonly mandate: string;
  readonly write_authority: WriteAuthority;
  readonly runtime_id: string;
  readonly decision_authority?: number;
  readonly declared_file_scope?: readonly string[];
}

/** Its other members belong to the runtime's adapter, which reads and checks them. */
export interface Runtime {
  readonly type: RuntimeType;
  readonly [option: string]: unknown;
}

export interface Route {
  readonly entry_role?: string;
  readonly allowed_next_roles?: readonly string[];
  readonly exit_gate?: string;
  readonly max_concurrent_turns: number;
  readonly timeout_minutes?: number;
}

export interface GateAction {
  readonly run: string;
  readonly label?: string;
  readonly timeout_ms?: number;
}

export interface Gate {
  readonly requires_files: readonly string[];
  readonly requires_verification_pass: boolean;
  readonly requires_human_approval: boolean;
  readonly credentialed: boolean;
  readonly gate_actions: readonly GateAction[];
  /** Ours, beyond the protocol: the gate acts only after governance policy allows this goal. */
  readonly requires_resolution?: string;
}

export type ArtifactSemantics =
  | 'pm_signoff'
  | 'system_spec'
  | 'implementation_notes'
  | 'acceptance_matrix'
  | 'ship_verdict'
  | 'release_notes'
  | 'section_check';

export interface WorkflowArtifact {
  readonly path: string;
  readonly required: boolean;
  readonly semantics?: ArtifactSemantics;
  readonly sections?: readonly string[];
  readonly owned_by?: string;
}

export type HookMode = 'blocking' | 'advisory';

export interface Hook {
  readonly name: string;
  readonly type: 'process' | 'http';
  readonly mode: HookMode;
  readonly timeout_ms: number;
  readonly command?: readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export type PolicyAction = 'block' | 'warn' | 'escalate';

export interface Policy {
  readonly id: string;
  readonly rule: string;
  readonly action: PolicyAction;
  readonly params: Readonly<Record<string, unknown>>;
}

export type ApprovalAction = 'auto_approve' | 'require_human';

export interface ApprovalConditions {
  /** Each must have an accepted turn in the phase. */
  readonly roles: readonly string[];
  readonly allPhases: boolean;
  /** There are conditions that nobody here understands. */
  readonly unknown: boolean;
}

interface ApprovalRule {
  readonly action: ApprovalAction;
  readonly when: ApprovalConditions;
}

/** Which gates open without a person. The first rule that matches decides; a rule for a gate comes first. */
export interface ApprovalPolicy {
  readonly gates: readonly (ApprovalRule & { readonly gate?: string })[];
  readonly transitions: readonly (ApprovalRule & { readonly from?: string; readonly to?: string })[];
  readonly otherTransitions: ApprovalAction;
  readonly completion: ApprovalRule;
}

export interface Timeouts {
  readonly per_turn_minutes: number;
  readonly per_phase_minutes?: number;
  readonly per_run_minutes?: number;
  /** How long a program may print nothing. */
  readonly stall_minutes?: number;
  readonly action: 'escalate' | 'warn' | 'skip_phase';
}

export interface Budget {
  readonly per_turn_max_usd?: number;
  readonly per_run_max_usd?: number;
  readonly on_exceed: 'pause_and_escalate' | 'warn';
}

/** `agentxchain.json` with its defaults filled in by `readConfig`; `validateConfig` checks the raw document. */
export interface GovernedConfig {
  readonly project: { readonly id: string; readonly name: string; readonly goal?: string };
  readonly roles: Readonly<Record<string, Role>>;
  readonly runtimes: Readonly<Record<string, Runtime>>;
  readonly routing: Readonly<Record<string, Route>>;
  readonly gates: Readonly<Record<string, Gate>>;
  readonly challengeRequired: boolean;
  readonly maxTurnRetries: number;
  /** Ours, beyond the protocol: the run stops for a person after this many turns in a row without any result. */
  readonly maxIdleTurns: number;
  /** Ours, too: the wait before the second attempt of a turn whose agent could not be started or reached. */
  readonly retryBackoffSeconds: number;
  readonly hooks: Readonly<Record<string, readonly Hook[]>>;
  readonly artifacts: Readonly<Record<string, readonly WorkflowArtifact[]>>;
  readonly policies: readonly Policy[];
  readonly approvals: ApprovalPolicy;
  /** A file with instructions for a role, by role. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly timeouts: Timeouts;
  readonly budget: Budget;
  /** Ours: what a turn's own work tree needs besides the files in git. */
  readonly worktree: WorktreeNeeds;
  /** Ours: another runner of the protocol works on the same files. */
  readonly interchange: boolean;
}

export interface WorktreeNeeds {
  /** Command lines for a shell. */
  readonly setup: readonly string[];
  readonly link: readonly string[];
  readonly copy: readonly string[];
}

export const DEFAULT_PHASES: readonly string[] = ['planning', 'implementation', 'qa'];

type Routed = Pick<GovernedConfig, 'routing'>;

/** Phases run in the order in which `routing` names them. */
export function phasesOf(config: Routed): readonly string[] {
  const declared = Object.keys(config.routing);
  return declared.length > 0 ? declared : DEFAULT_PHASES;
}

export function nextPhase(config: Routed, phase: string): string | undefined {
  const phases = phasesOf(config);
  const at = phases.indexOf(phase);
  return at < 0 ? undefined : phases[at + 1];
}

export function finalPhase(config: Routed): string {
  return phasesOf(config).at(-1) ?? 'qa';
}

export function routeOf(config: Routed, phase: string): Route | undefined {
  return member(config.routing, phase);
}

/** The roles that may work in a phase; one that names no roles is open to all. */
export function rolesInPhase(config: GovernedConfig, phase: string): readonly string[] {
  const route = routeOf(config, phase);
  const named = new Set([
    ...(route?.entry_role ? [route.entry_role] : []),
    ...(route?.allowed_next_roles ?? []),
  ]);
  const all = Object.keys(config.roles);
  return named.size === 0 ? all : all.filter((role) => named.has(role));
}
