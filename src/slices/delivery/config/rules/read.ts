import { asList, asRecord, asStrings, isString, type LooseRecord } from '../../../../kernel/json/loose.ts';
import type {
  Gate,
  GateAction,
  GovernedConfig,
  Hook,
  Policy,
  Role,
  Route,
  Runtime,
  WorkflowArtifact,
} from '../config.ts';
import { readApprovalPolicy } from './approval-policy.ts';

const DEFAULT_TURN_MINUTES = 120;
const DEFAULT_RETRIES = 2;
const DEFAULT_IDLE_TURNS = 4;
const DEFAULT_BACKOFF_SECONDS = 2;

/** The typed view of a config, with defaults filled in. It checks nothing: call `validateConfig` first. */
export function readConfig(raw: unknown): GovernedConfig {
  const doc = asRecord(raw);
  const project = asRecord(doc.project);
  const rules = asRecord(doc.rules);
  const kit = asRecord(asRecord(doc.workflow_kit).phases);
  return {
    project: {
      id: text(project.id, ''),
      name: text(project.name, ''),
      ...(isString(project.goal) ? { goal: project.goal } : {}),
    },
    roles: mapValues(doc.roles, readRole),
    runtimes: mapValues(
      doc.runtimes,
      (runtime) => ({ ...runtime, type: text(runtime.type, 'manual') }) as Runtime,
    ),
    routing: mapValues(doc.routing, readRoute),
    gates: mapValues(doc.gates, readGate),
    challengeRequired: rules.challenge_required !== false,
    maxTurnRetries: whole(rules.max_turn_retries) ?? DEFAULT_RETRIES,
    maxIdleTurns: whole(rules.max_idle_turns) ?? DEFAULT_IDLE_TURNS,
    retryBackoffSeconds: positive(rules.retry_backoff_seconds) ?? DEFAULT_BACKOFF_SECONDS,
    hooks: Object.fromEntries(
      Object.entries(asRecord(doc.hooks)).map(([phase, hooks]) => [phase, asList(hooks).map(readHook)]),
    ),
    artifacts: mapValues(kit, (phase) => asList(phase.artifacts).map(readArtifact)),
    policies: asList(doc.policies).map(readPolicy),
    approvals: readApprovalPolicy(doc.approval_policy),
    prompts: Object.fromEntries(
      Object.entries(asRecord(doc.prompts)).filter((entry): entry is [string, string] => isString(entry[1])),
    ),
    timeouts: readTimeouts(asRecord(doc.timeouts)),
    budget: readBudget(asRecord(doc.budget)),
    worktree: readWorktree(asRecord(doc.worktree)),
    interchange: doc.interchange === true,
  };
}

function readWorktree({ setup, link, copy }: LooseRecord): GovernedConfig['worktree'] {
  return {
    setup: isString(setup) ? [setup] : asStrings(setup),
    link: asStrings(link),
    copy: asStrings(copy),
  };
}

function readRole(role: LooseRecord): Role {
  return {
    title: text(role.title, ''),
    mandate: text(role.mandate, ''),
    write_authority: text(role.write_authority, 'authoritative') as Role['write_authority'],
    runtime_id: text(role.runtime ?? role.runtime_id, ''),
    ...(typeof role.decision_authority === 'number' ? { decision_authority: role.decision_authority } : {}),
    ...(Array.isArray(role.declared_file_scope)
      ? { declared_file_scope: role.declared_file_scope.filter(isString) }
      : {}),
  };
}

function readRoute(route: LooseRecord): Route {
  return {
    ...(isString(route.entry_role) ? { entry_role: route.entry_role } : {}),
    ...(Array.isArray(route.allowed_next_roles)
      ? { allowed_next_roles: route.allowed_next_roles.filter(isString) }
      : {}),
    ...(isString(route.exit_gate) ? { exit_gate: route.exit_gate } : {}),
    max_concurrent_turns: whole(route.max_concurrent_turns) ?? 1,
    ...(typeof route.timeout_minutes === 'number' ? { timeout_minutes: route.timeout_minutes } : {}),
  };
}

function readGate(gate: LooseRecord): Gate {
  return {
    requires_files: asStrings(gate.requires_files),
    requires_verification_pass: gate.requires_verification_pass === true,
    requires_human_approval: gate.requires_human_approval === true,
    credentialed: gate.credentialed === true,
    gate_actions: asList(gate.gate_actions) as readonly GateAction[],
    ...(isString(gate.requires_resolution) ? { requires_resolution: gate.requires_resolution } : {}),
  };
}

function readHook(raw: unknown): Hook {
  const hook = asRecord(raw);
  return {
    ...hook,
    name: text(hook.name, ''),
    type: hook.type === 'http' ? 'http' : 'process',
    mode: hook.mode === 'advisory' ? 'advisory' : 'blocking',
    timeout_ms: whole(hook.timeout_ms) ?? 5000,
  } as Hook;
}

function readArtifact(raw: unknown): WorkflowArtifact {
  const artifact = asRecord(raw);
  const sections = asRecord(artifact.semantics_config).required_sections;
  return {
    path: text(artifact.path, ''),
    required: artifact.required !== false,
    ...(isString(artifact.semantics)
      ? { semantics: artifact.semantics as NonNullable<WorkflowArtifact['semantics']> }
      : {}),
    ...(Array.isArray(sections) ? { sections: sections.filter(isString) } : {}),
    ...(isString(artifact.owned_by) ? { owned_by: artifact.owned_by } : {}),
  };
}

function readPolicy(raw: unknown): Policy {
  const policy = asRecord(raw);
  return {
    id: text(policy.id, ''),
    rule: text(policy.rule, ''),
    action: text(policy.action, 'warn') as Policy['action'],
    params: asRecord(policy.params),
  };
}

function readTimeouts(timeouts: LooseRecord): GovernedConfig['timeouts'] {
  const phase = positive(timeouts.per_phase_minutes);
  const run = positive(timeouts.per_run_minutes);
  const stall = positive(timeouts.stall_minutes);
  return {
    per_turn_minutes: positive(timeouts.per_turn_minutes) ?? DEFAULT_TURN_MINUTES,
    ...(phase === undefined ? {} : { per_phase_minutes: phase }),
    ...(run === undefined ? {} : { per_run_minutes: run }),
    ...(stall === undefined ? {} : { stall_minutes: stall }),
    action: text(timeouts.action, 'escalate') as GovernedConfig['timeouts']['action'],
  };
}

function readBudget(budget: LooseRecord): GovernedConfig['budget'] {
  const turn = positive(budget.per_turn_max_usd);
  const run = positive(budget.per_run_max_usd);
  return {
    ...(turn === undefined ? {} : { per_turn_max_usd: turn }),
    ...(run === undefined ? {} : { per_run_max_usd: run }),
    on_exceed: budget.on_exceed === 'warn' ? 'warn' : 'pause_and_escalate',
  };
}

export function mapValues<T>(map: unknown, read: (value: LooseRecord) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(
    Object.entries(asRecord(map)).map(([key, value]) => [key, read(asRecord(value))]),
  );
}

function text(value: unknown, fallback: string): string {
  return isString(value) ? value : fallback;
}

function whole(value: unknown): number | undefined {
  return Number.isInteger(value) ? (value as number) : undefined;
}

function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}
