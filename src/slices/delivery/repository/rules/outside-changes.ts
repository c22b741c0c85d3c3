import { asRecord, asString, isRecord } from '../../../../kernel/json/loose.ts';
import { readConfig } from '../../config/rules/read.ts';
import { isConfiguration } from '../governed.ts';

/** What is known when governed files turn out to be changed. The documents are as they were read, perhaps unreadable. */
export interface Seen {
  readonly prompts: readonly string[];
  readonly attached: boolean;
  /** The pinned configuration. */
  readonly config: unknown;
  /** The run's state as Baton wrote it, and as it is now. */
  readonly before: unknown;
  readonly after: unknown;
  /** Turns with an agent of ours at work. */
  readonly agents: readonly string[];
}

export type Answer =
  | { readonly action: 'restore'; readonly turns: readonly string[] }
  | { readonly action: 'adopt'; readonly because: string }
  | { readonly action: 'refuse'; readonly because: string };

const HANDED_OUT = ['dispatched', 'starting', 'running'];

/** Whether changes that Baton did not make are undone, taken over, or a person's to judge. */
export function answerTo(paths: readonly string[], seen: Seen): Answer {
  const { status, active_turns: turns } = asRecord(seen.before);
  const between = status === undefined || status === 'idle' || status === 'completed';
  if (between && paths.every((path) => isConfiguration(path, seen.prompts)))
    return { action: 'adopt', because: 'configuration between runs' };
  const shared = isShared(seen.config);
  if (seen.agents.length > 0) return { action: 'restore', turns: seen.agents };
  if (shared) return ofAnotherRunner(seen);
  const handedOut = Object.entries(asRecord(turns))
    .filter(([, turn]) => HANDED_OUT.includes(String(asRecord(turn).status)))
    .map(([id]) => id);
  if (handedOut.length > 0) return { action: 'restore', turns: handedOut };
  return { action: 'refuse', because: 'No turn was at work.' };
}

/** Ours, beyond the protocol: `interchange: true` says that another runner works on the same files. */
function isShared(config: unknown): boolean {
  return asRecord(config).interchange === true;
}

function ofAnotherRunner(seen: Seen): Answer {
  const gates = seen.attached ? gatesDecided(seen) : [];
  if (gates.length === 0) return { action: 'adopt', because: 'another runner' };
  return {
    action: 'refuse',
    because: `They decide at ${gates.join(', ')}, which takes a credential because the run is attached.`,
  };
}

/** Gates that ask a person, and that the changed state has behind it although nobody was asked through Baton. */
function gatesDecided({ config, before, after }: Seen): readonly string[] {
  if (!isRecord(after)) return ['every gate'];
  const { gates, routing } = readConfig(config);
  const was = asRecord(asRecord(before).phase_gate_status);
  const is = asRecord(asRecord(after).phase_gate_status);
  const phases = Object.keys(routing);
  const reached = (state: unknown) =>
    asString(asRecord(state).status) === 'completed'
      ? phases.length
      : phases.indexOf(String(asRecord(state).phase));
  const sameRun = asRecord(before).run_id === asRecord(after).run_id;
  const from = sameRun ? reached(before) : 0;
  const passed = phases.slice(from, Math.max(from, reached(after))).flatMap((phase) => {
    const gate = routing[phase]?.exit_gate;
    return gate === undefined ? [] : [gate];
  });
  const marked = Object.keys(is).filter((gate) => is[gate] === 'passed' && was[gate] !== 'passed');
  return [...new Set([...passed, ...marked])].filter(
    (gate) => gates[gate]?.requires_human_approval === true || gates[gate]?.credentialed === true,
  );
}
