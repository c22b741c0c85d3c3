/**
 * What the protocol's text refuses in a turn result, written a second time and from the text alone, for results whose
 * refusal leaves no room for the repairs that the text allows. Answers why, or nothing where it may be accepted.
 */
type Loose = Record<string, unknown>;

const isRecord = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const records = (value: unknown) => list(value).filter(isRecord);
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isBlankOrNull = (value: unknown) => value === undefined || value === null;

const RESERVED = ['state.json', 'history.jsonl', 'decision-ledger.jsonl', 'lock.json'].map(
  (file) => `.agentxchain/${file}`,
);
const STATUSES = ['completed', 'blocked', 'needs_human', 'failed'];
/** Read as one of the others, in any case. */
const SYNONYMS = ['complete', 'success', 'done', 'error', 'failure'];
const COMPLETED = ['completed', 'complete', 'success', 'done'];
const SEVERITIES = ['low', 'medium', 'high', 'blocking'];
const OBJECTION_STATES = [
  'raised',
  'acknowledged',
  'resolved',
  'escalated',
  'resolved_by_human',
  'resolved_by_director',
];

export interface Setting {
  readonly turn: Loose;
  readonly turnId: string;
  readonly phase: string;
  readonly config: Loose;
}

export function mustRefuse(result: unknown, { turn, turnId, phase, config }: Setting): string | undefined {
  if (!isRecord(result)) return 'a result is an object';
  return (
    envelope(result, turn, turnId) ??
    decisions(result) ??
    objections(result) ??
    files(result, roleOf(config, turn)) ??
    verification(result.verification) ??
    lifecycle(result, phase, config) ??
    delegations(result, turn, config)
  );
}

function roleOf(config: Loose, turn: Loose): Loose {
  const roles = isRecord(config.roles) ? config.roles : {};
  const role = roles[String(turn.assigned_role ?? turn.role)];
  return isRecord(role) ? role : {};
}

function envelope(result: Loose, turn: Loose, turnId: string): string | undefined {
  if (result.schema_version !== '1.0') return 'schema_version';
  if (result.turn_id !== turnId) return 'turn_id';
  if (result.role !== (turn.assigned_role ?? turn.role)) return 'role';
  if (
    !isBlankOrNull(result.runtime_id) &&
    !isBlankOrNull(turn.runtime_id) &&
    result.runtime_id !== turn.runtime_id
  )
    return 'runtime_id';
  if (!isBlankOrNull(result.status)) {
    if (typeof result.status !== 'string') return 'status';
    if (!STATUSES.includes(result.status) && !SYNONYMS.includes(result.status.toLowerCase())) return 'status';
  }
  if (/^<.*>$/s.test(String(result.summary))) return 'a placeholder for a summary';
  if ('summary' in result && result.summary !== null && typeof result.summary !== 'string') return 'summary';
  return undefined;
}

function decisions(result: Loose): string | undefined {
  if (!isBlankOrNull(result.decisions) && !Array.isArray(result.decisions)) return 'decisions';
  if (list(result.decisions).some((each) => !isRecord(each))) return 'a decision is an object';
  for (const each of records(result.decisions)) {
    if ('durability' in each && !['run', 'repo'].includes(String(each.durability))) return 'durability';
    if (!isBlankOrNull(each.overrides) && !/^DEC-\d+$/.test(String(each.overrides))) return 'overrides';
    if (!isBlankOrNull(each.overrides) && each.overrides === each.id) return 'overrides itself';
    if (/^<.*>$/s.test(String(each.statement))) return 'a placeholder for a statement';
  }
  return undefined;
}

function objections(result: Loose): string | undefined {
  if (!isBlankOrNull(result.objections) && !Array.isArray(result.objections)) return 'objections';
  if (list(result.objections).some((each) => !isRecord(each))) return 'an objection is an object';
  for (const each of records(result.objections)) {
    if (!SEVERITIES.includes(String(each.severity))) return 'severity';
    if ('status' in each && !OBJECTION_STATES.includes(String(each.status))) return 'status of an objection';
  }
  return undefined;
}

function files(result: Loose, role: Loose): string | undefined {
  if (!('files_changed' in result) && !('files_modified' in result)) return 'files_changed';
  if ('files_changed' in result && result.files_changed !== null && !Array.isArray(result.files_changed))
    return 'files_changed';
  const changed = list(result.files_changed).map((each) => (isRecord(each) ? each.path : each));
  if (changed.some((each) => typeof each !== 'string')) return 'a file is a path';
  if (changed.some((each) => RESERVED.includes(String(each)))) return 'reserved path';
  const isReview = (path: string) =>
    path.startsWith('.planning/') || path.startsWith('.agentxchain/reviews/');
  if (role.write_authority === 'review_only' && !changed.every((each) => isReview(String(each))))
    return 'a review_only role changes product files';
  return undefined;
}

function verification(value: unknown): string | undefined {
  if (!isRecord(value)) return 'verification';
  const evidence = value.machine_evidence;
  if (!isBlankOrNull(evidence) && !Array.isArray(evidence)) return 'machine_evidence';
  for (const each of list(evidence)) {
    if (!isRecord(each) || !Number.isInteger(each.exit_code)) return 'exit_code';
    if (!isText(each.command)) return 'the command of the evidence';
    if (value.status !== 'pass' || isBlankOrNull(each.expected_exit_code)) continue;
    if (each.expected_exit_code !== each.exit_code) return 'a pass that did not end as expected';
  }
  const produced = records(value.produced_files).map(({ path }) => path);
  if (new Set(produced).size !== produced.length) return 'a file is produced twice';
  return undefined;
}

function lifecycle(result: Loose, phase: string, config: Loose): string | undefined {
  const { phase_transition_request: transition, run_completion_request: completion } = result;
  if (!isBlankOrNull(transition) && typeof transition !== 'string') return 'phase_transition_request';
  // The name of a gate is read as what comes after it.
  if (isRecord(config.gates) && Object.hasOwn(config.gates, String(transition))) return undefined;
  if (!isBlankOrNull(completion) && typeof completion !== 'boolean') return 'run_completion_request';
  if (isText(transition) && completion === true) return 'a transition and a completion';
  const routing = isRecord(config.routing) ? config.routing : {};
  const phases = Object.keys(routing);
  if (phases.length === 0 || String(result.status) === 'needs_human') return undefined;
  if (isText(transition) && !phases.includes(transition)) return 'an unknown phase';
  return nextRole(result, routing[phase]);
}

function nextRole(
  { status, proposed_next_role: next, run_completion_request: completion }: Loose,
  route: unknown,
) {
  // That of a completed turn is replaced by a legal one, and a status that is missing may follow from the rest.
  const completed = isBlankOrNull(status) || COMPLETED.includes(String(status).toLowerCase());
  if (completed || isBlankOrNull(next) || completion === true) return undefined;
  if (!isText(next) || !/^[a-z0-9_-]+$/.test(next)) return 'proposed_next_role';
  const allowed = isRecord(route) ? route.allowed_next_roles : undefined;
  return Array.isArray(allowed) && !allowed.includes(next) ? 'a role that may not be next' : undefined;
}

function delegations(result: Loose, turn: Loose, config: Loose): string | undefined {
  if (isBlankOrNull(result.delegations)) return undefined;
  if (!Array.isArray(result.delegations)) return 'delegations';
  const all = records(result.delegations);
  if (all.length !== result.delegations.length) return 'a delegation is an object';
  if (all.length > 5) return 'more than five delegations';
  if (all.length > 0 && result.run_completion_request === true) return 'delegations at the end of a run';
  if (all.length > 0 && isRecord(turn.delegation_context)) return 'a delegated turn delegates';
  const roles = isRecord(config.roles) ? Object.keys(config.roles) : [];
  for (const each of all) {
    if (!/^del-\d{3}$/.test(String(each.id))) return 'the id of a delegation';
    if (!isText(each.charter)) return 'charter';
    if (list(each.acceptance_contract).length === 0) return 'acceptance_contract';
    if (each.to_role === (turn.assigned_role ?? turn.role)) return 'a delegation to itself';
    if (roles.length > 0 && !roles.includes(String(each.to_role))) return 'a delegation to nobody';
  }
  if (new Set(all.map(({ id }) => id)).size !== all.length) return 'two delegations with one id';
  return undefined;
}
