import pc from 'picocolors';
import type {
  CommandResult,
  GateReport,
  LoopResult,
  RunStatusReport,
  StepResult,
  TurnStanding,
  VerifyReport,
} from '../../../slices/delivery/commands.ts';
import { shown, table } from '../output.ts';

/** What runs look like to a person; `show` has made every text fit for a terminal. */

type State = CommandResult['state'];
type RunEvent = CommandResult['events'][number];

const STATUS_COLOUR: Readonly<Record<string, (text: string) => string>> = {
  active: pc.green,
  paused: pc.cyan,
  blocked: pc.red,
  completed: pc.green,
  failed: pc.red,
};

function status(value: string): string {
  return (STATUS_COLOUR[value] ?? pc.dim)(value);
}

export function nextLine(next: string): string {
  return `${pc.dim('next')}  ${pc.bold(next)}`;
}

function standing(state: State): string {
  if (state.run_id === null) return 'No run has been started.';
  return `Run ${pc.bold(state.run_id)} is ${status(state.status)} in ${pc.bold(state.phase)}.`;
}

export function statusText(report: RunStatusReport): string {
  const { state, gate } = report;
  const row = (name: string, text: string) => `  ${pc.dim(name.padEnd(8))}${text}`;
  return [
    standing(state),
    row('phases', report.phases.map((phase) => markedPhase(phase, report)).join(' → ')),
    row('turns', `${report.acceptedTurns} accepted`),
    ...report.turns.flatMap((turn) => turnRows(turn).map((text, at) => row(at === 0 ? 'turn' : '', text))),
    ...(report.nextRole === null ? [] : [row('whose', `${pc.bold(report.nextRole)} is next`)]),
    ...(gate === null
      ? []
      : [
          row('gate', `${gate.name}${gate.requiresHumanApproval ? ', asks a person' : ''}`),
          ...gate.reasons.map((reason) => row('', pc.yellow(`- ${reason}`))),
        ]),
    ...(state.blocked_on === null ? [] : [row('blocked', pc.red(state.blocked_on))]),
    ...(state.blocked_reason === null ? [] : [row('', state.blocked_reason.recovery.detail ?? '')]),
    ...report.overdue.map(({ message }) => row('late', pc.yellow(message))),
    ...(report.waitsFor === null
      ? []
      : [row('waits', `for ${report.waitsFor.who}: ${report.waitsFor.reason}`)]),
    row('next', pc.bold(report.next)),
  ].join('\n');
}

function turnRows(turn: TurnStanding): readonly string[] {
  const { by_hand: byHand, last_rejection: refused } = turn;
  const waits = byHand !== null && !turn.staged && ['dispatched', 'running'].includes(turn.status);
  const standing =
    turn.status === 'failed_acceptance'
      ? 'its result was refused'
      : turn.staged
        ? 'its result is ready'
        : waits
          ? 'waits for a person'
          : turn.status.replaceAll('_', ' ');
  return [
    `${turn.turn_id} of ${pc.bold(turn.assigned_role)} by ${turn.runtime_id}, attempt ${turn.attempt}: ${standing}`,
    ...(refused === undefined ? [] : [pc.yellow(`- ${refused.reason}`)]),
    ...(waits ? [`read ${byHand.prompt}`, `write ${byHand.result}`] : []),
  ];
}

function markedPhase(phase: string, { state, phases }: RunStatusReport): string {
  const done = state.status === 'completed' || phases.indexOf(phase) < phases.indexOf(state.phase);
  if (done) return pc.green(`${phase} ✓`);
  return phase === state.phase ? pc.bold(phase) : pc.dim(phase);
}

export function resultText(result: CommandResult): string {
  return [
    ...result.events.map(eventLine),
    ...result.warnings.map((warning) => pc.yellow(`! ${warning}`)),
    standing(result.state),
    nextLine(result.next),
  ].join('\n');
}

export function stepText(result: StepResult): string {
  const message = result.message === null ? [] : [result.message];
  return [...message, resultText(result)].join('\n');
}

const STOPPED: Readonly<Record<LoopResult['stopped'], string>> = {
  completed: 'The run is complete.',
  blocked: 'The run is blocked.',
  max_turns_reached: 'The requested number of turns has been reached.',
  gate_held: 'A gate waits for a person.',
  caller_stopped: 'Stopped.',
  reject_exhausted: 'A turn was sent back too often.',
  conflict_loop: 'Turns keep changing the same files.',
  conflict_stall: 'A conflict has to be merged by hand.',
  waiting_for_result: 'A turn waits for its result.',
  dispatch_error: 'A turn could not be handed out.',
};

export function loopText(result: LoopResult): string {
  const message = result.message === null ? [] : [result.message];
  return [STOPPED[result.stopped], ...message, standing(result.state), nextLine(result.next)].join('\n');
}

export function eventLine(given: RunEvent): string {
  const event = shown(given);
  const { payload } = event;
  const said =
    payload.summary ??
    payload.reason ??
    payload.gate ??
    payload.detail ??
    payload.message ??
    payload.to ??
    '';
  const who = event.turn?.role_id ?? '';
  return [
    pc.dim(event.timestamp.slice(11, 19)),
    colourOf(event.event_type)(event.event_type.replaceAll('_', ' ').padEnd(18)),
    pc.bold(who.padEnd(4)),
    String(said),
  ]
    .join('  ')
    .trimEnd();
}

function colourOf(type: string): (text: string) => string {
  if (/failed|rejected|blocked|conflicted|stalled/.test(type)) return pc.red;
  if (/pending|escalation/.test(type)) return pc.cyan;
  return /accepted|approved|completed|resolved/.test(type) ? pc.green : (text) => text;
}

export function historyText(rows: readonly Readonly<Record<string, unknown>>[]): string {
  if (rows.length === 0) return pc.dim('No turn has been accepted yet.');
  return table(
    rows.map((row) => ({
      no: row.accepted_sequence,
      phase: row.phase,
      role: row.role,
      status: row.status,
      verified: (row.verification as { status?: string } | undefined)?.status,
      summary: row.summary,
      turn: row.turn_id,
    })),
  );
}

export function decisionsText(rows: readonly Readonly<Record<string, unknown>>[]): string {
  if (rows.length === 0) return pc.dim('Nothing has been decided yet.');
  return table(
    rows.map((row) => ({
      id: row.id ?? row.decision ?? row.type,
      role: row.role ?? row.approved_by ?? row.by,
      category: row.category,
      statement: row.statement ?? row.reason ?? row.gate,
      status: row.status,
    })),
  );
}

export function gateText(report: GateReport | null): string {
  if (report === null) return 'The phase has no gate.';
  const { gate } = report;
  return [
    `Gate ${pc.bold(gate.name)} of ${report.phase} is ${report.status}: ${report.passesNow ? pc.green('it would open now') : pc.yellow('it would not open now')}.`,
    ...gate.reasons.map((reason) => pc.yellow(`  - ${reason}`)),
    ...(gate.files.length === 0 ? [] : [`  ${pc.dim('files')}     ${gate.files.join(', ')}`]),
    `  ${pc.dim('verified')}  ${gate.requiresVerificationPass ? 'must pass' : 'not asked'}`,
    `  ${pc.dim('person')}    ${gate.requiresHumanApproval ? 'must approve' : 'not asked'}`,
    ...(report.standing === null || !gate.requiresHumanApproval ? [] : [pc.yellow(`  ${report.standing}`)]),
  ].join('\n');
}

export function verifyText(report: VerifyReport): string {
  return [
    report.ok
      ? pc.green('The governed files are consistent.')
      : pc.red('The governed files are NOT consistent.'),
    ...report.checks.map(({ check, faults, notes }) =>
      [
        `  ${faults.length === 0 ? pc.green('✓') : pc.red('✗')} ${check}`,
        ...faults.map((fault) => `    ${fault}`),
        ...(notes ?? []).map((note) => pc.yellow(`    ! ${note}`)),
      ].join('\n'),
    ),
  ].join('\n');
}
