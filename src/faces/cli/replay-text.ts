import pc from 'picocolors';
import { inline, named } from '../../kernel/quoted.ts';

/** The shapes of `relay.replay.plan` and `relay.replay.show`, as far as they are printed. */
export interface PlanText {
  readonly messages: number;
  readonly to_send: number;
  readonly speaker: string;
  readonly steps: readonly {
    readonly number: number;
    readonly from: string;
    readonly agent: string;
    readonly to: string;
    readonly governed: boolean;
    readonly streams: boolean;
    readonly exact: boolean;
    readonly text: string;
    readonly why?: string;
  }[];
}

interface Side {
  readonly state: string | null;
  readonly kind: string;
  readonly error: {
    readonly failure_class: string | null;
    readonly code: number | null;
    readonly message: string | null;
  } | null;
  readonly latency_ms: number;
  readonly first_event_ms?: number;
  readonly artifacts: number;
  readonly parts: readonly { readonly source: string; readonly kind: string; readonly value: string }[];
  readonly pieces: number;
}

interface Piece {
  readonly after_ms: number;
  readonly text: string;
}

interface Compared {
  readonly changes: readonly string[];
  readonly original: Side | null;
  readonly replayed: Side | null;
  readonly latency_ratio?: number;
  readonly text_diff?: readonly { readonly op: string; readonly text: string }[];
  readonly text_diff_cut?: boolean;
  readonly pieces?: readonly {
    readonly same: boolean;
    readonly original: Piece | null;
    readonly replayed: Piece | null;
  }[];
}

export interface StepText {
  readonly number: number;
  readonly state: string;
  readonly agent: string;
  readonly to: string;
  readonly exact: boolean;
  readonly new_trace_id: string | null;
  readonly why?: string;
  readonly compared?: Compared;
}

export interface ReplayText {
  readonly replay_id: string;
  readonly state: string;
  readonly why: string | null;
  readonly messages: number;
  readonly sent: number;
  readonly skipped: number;
  readonly contexts: readonly { readonly original: string; readonly replayed: string }[];
  readonly steps: readonly StepText[];
  readonly next: number | null;
}

const WIDTH = 34;

export function planText({ messages, to_send, speaker, steps }: PlanText): string {
  const lines = steps.map((step) => {
    const mark = step.why === undefined ? pc.green('→') : pc.yellow('·');
    const notes = [
      step.governed && 'policy decides again',
      step.streams && 'stream',
      step.why === undefined && !step.exact && 'as it is kept',
    ].filter(Boolean);
    const head = `${mark} ${step.number}  ${way(step.from, step.agent, step.to)}`;
    return [
      `${head}${notes.length > 0 ? pc.dim(`  (${notes.join(', ')})`) : ''}`,
      ...(step.text === '' ? [] : [pc.dim(`     in:  ${inline(step.text, 100)}`)]),
      ...(step.why === undefined ? [] : [pc.yellow(`     not sent: ${inline(step.why)}`)]),
    ].join('\n');
  });
  const more = messages > steps.length ? [pc.dim(`… and ${messages - steps.length} more`)] : [];
  const sum = `${to_send} of ${messages} ${messages === 1 ? 'message' : 'messages'} can be sent, as ${named(speaker)}.`;
  return [...lines, ...more, sum].join('\n');
}

function way(from: string, agent: string, to: string): string {
  const target = agent === to ? named(to) : `${named(to)} in place of ${named(agent)}`;
  return `${named(from)} → ${target}`;
}

export function replayText(replay: ReplayText): string {
  const { replay_id, state, why, messages, sent, skipped, contexts, steps, next } = replay;
  const changed = steps.filter(({ compared }) => compared && compared.changes.length > 0).length;
  const lines = steps.map(stepText);
  const sum = [
    `replay ${named(replay_id)}: ${named(state)}, ${sent} of ${messages} sent`,
    skipped > 0 && `${skipped} not sent`,
    steps.length > 0 && `${changed} of ${steps.length} shown differ`,
  ].filter(Boolean);
  return [
    ...lines,
    ...contexts.map(({ original, replayed }) =>
      pc.dim(`session ${named(replayed)} stands for ${named(original)}`),
    ),
    `${sum.join(', ')}${why === null ? '' : `: ${inline(why)}`}`,
    ...(next === null ? [] : [pc.dim(`More: baton relay replayed ${named(replay_id)} --after ${next}`)]),
  ].join('\n');
}

export function stepText({ number, state, agent, to, why, exact, compared, new_trace_id }: StepText): string {
  const who = agent === to ? named(to) : `${named(agent)} | ${named(to)}`;
  const result =
    compared === undefined
      ? pc.yellow(named(state))
      : compared.changes.length === 0
        ? pc.green('the same')
        : pc.red(`differs: ${compared.changes.map((change) => named(change)).join(', ')}`);
  return [
    `${pc.bold(String(number))}  ${who}  ${result}${exact ? '' : pc.dim('  (sent as it is kept)')}`,
    ...(why === undefined ? [] : [`     why: ${inline(why)}`]),
    ...(compared ? comparedLines(compared) : []),
    ...(new_trace_id === null ? [] : [pc.dim(`     trace ${named(new_trace_id)}`)]),
  ].join('\n');
}

function comparedLines(compared: Compared): string[] {
  const { original, replayed, text_diff: diff, pieces = [] } = compared;
  if (!original || !replayed)
    return [`     ${!original ? 'The original is no longer kept.' : 'What came of it is not stored yet.'}`];
  const rows: [string, string, string][] = [
    ['state', stateOf(original), stateOf(replayed)],
    ['latency', timeOf(original), `${timeOf(replayed)}${ratioOf(compared)}`],
    ['parts', partsOf(original), partsOf(replayed)],
  ];
  if (original.error ?? replayed.error) rows.push(['error', errorOf(original), errorOf(replayed)]);
  if (original.pieces > 1 || replayed.pieces > 1)
    rows.push(['pieces', String(original.pieces), String(replayed.pieces)]);
  return [
    ...rows.map(([name, a, b]) => `     ${pc.dim(name.padEnd(8))} ${a.padEnd(WIDTH)} ${b}`.trimEnd()),
    ...(diff ?? []).map(diffLine),
    ...(compared.text_diff_cut ? [pc.dim('     … cut')] : []),
    ...pieces.map(pieceLine),
  ];
}

function stateOf({ state, kind }: Side): string {
  return inline(`${kind} ${state ?? ''}`, WIDTH);
}

function timeOf({ latency_ms, first_event_ms }: Side): string {
  const first = first_event_ms === undefined ? '' : ` (first after ${first_event_ms} ms)`;
  return `${latency_ms.toFixed(1)} ms${first}`;
}

function ratioOf({ latency_ratio }: Compared): string {
  return latency_ratio === undefined ? '' : `  ${latency_ratio}×`;
}

function partsOf({ parts, artifacts }: Side): string {
  const counts = new Map<string, number>();
  for (const { kind } of parts) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ');
  const of = artifacts === 1 ? '1 artifact' : `${artifacts} artifacts`;
  return inline([kinds || 'none', artifacts > 0 && `in ${of}`].filter(Boolean).join(' '), WIDTH);
}

function errorOf({ error }: Side): string {
  if (!error) return 'none';
  return inline(
    [error.failure_class, error.code, error.message].filter((one) => one !== null).join(' '),
    WIDTH,
  );
}

function diffLine({ op, text }: { readonly op: string; readonly text: string }): string {
  const line = inline(text, 200);
  if (op === 'removed') return pc.red(`     - ${line}`);
  return op === 'added' ? pc.green(`     + ${line}`) : pc.dim(`     = ${line}`);
}

function pieceLine(
  { same, original, replayed }: NonNullable<Compared['pieces']>[number],
  at: number,
): string {
  const shown = (piece: Piece | null) =>
    piece === null ? '' : inline(`${piece.after_ms.toFixed(0)} ms  ${piece.text}`, WIDTH);
  const mark = same ? pc.green('=') : pc.red('≠');
  return `     ${mark} ${String(at + 1).padEnd(6)} ${shown(original).padEnd(WIDTH)} ${shown(replayed)}`.trimEnd();
}
