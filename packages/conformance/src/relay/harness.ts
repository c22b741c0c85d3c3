import type { Clock, Random } from '../../../../src/kernel/clock.ts';
import { toHex } from '../../../../src/kernel/hex.ts';
import { inline } from '../../../../src/kernel/quoted.ts';
import { startAnsweringAgent } from './answering-agent.ts';
import { judgeExample, type Verdict } from './judgement.ts';
import type { SpanSink } from './span-sink.ts';
import { type TraceQuery, textAt } from './trace-query.ts';
import { createTracedAgent } from './traced-agent.ts';
import { answerByText, type Outcome, playWorkedExample, spansOfExample } from './worked-example.ts';

export interface HarnessDeps {
  readonly relay: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sink: SpanSink;
  readonly query: TraceQuery;
  readonly clock: Clock;
  readonly random: Random;
  /** The actor behind the credential. */
  readonly speaker: string;
  /** Makes an agent reachable through the relay; returns the function that removes it. */
  readonly register: (id: string, url: string) => Promise<() => Promise<void>>;
  readonly timeoutMs: number;
}

export interface HarnessReport {
  readonly passed: boolean;
  readonly examples: readonly {
    readonly outcome: Outcome;
    readonly sessionId: string;
    readonly verdicts: readonly Verdict[];
  }[];
}

const OUTCOMES: readonly Outcome[] = ['completed', 'failed', 'canceled'];
const AGAIN_MS = 50;

/** Plays the worked example through a running relay, then judges what the backend recorded. */
export async function runHarness(deps: HarnessDeps): Promise<HarnessReport> {
  const { query, clock, random, relay, headers, sink } = deps;
  const word = toHex(random.bytes(4));
  const addressOf = (agent: string) => `${relay}/a2a/${agent}`;
  const agentOf = (id: string, role: string) =>
    createTracedAgent({ id, role, addressOf, headers, sink, clock, random });
  const speaker = agentOf(deps.speaker, 'orchestrator');
  const answering = agentOf(`answering-${word}`, 'worker');
  const server = await startAnsweringAgent(answering, answerByText);
  const unregister = await deps.register(answering.id, server.url).catch(async (error) => {
    await server.close();
    throw error;
  });
  try {
    const examples = [];
    for (const outcome of OUTCOMES) {
      const sessionId = `harness-${word}-${outcome}`;
      await playWorkedExample(speaker, answering.id, sessionId, outcome, () =>
        until(async () =>
          (await query.spans(sessionId)).some(
            (span) => span.name === 'a2a.task' && textAt(span, 'agent.id') === 'relay',
          ),
        ),
      );
      await until(async () => (await query.spans(sessionId)).length >= spansOfExample(outcome));
      const names = { speaker: speaker.id, answering: answering.id };
      examples.push({ outcome, sessionId, verdicts: await judgeExample(query, sessionId, outcome, names) });
    }
    const passed = examples.every(({ verdicts }) => verdicts.every(({ problems }) => problems.length === 0));
    return { passed, examples };
  } finally {
    await unregister();
    await server.close();
  }

  /** Spans arrive with a delay. The judgement finds those that never do. */
  async function until(there: () => Promise<boolean>): Promise<void> {
    const end = clock.now() + deps.timeoutMs * 1000;
    while (!(await there()) && clock.now() < end)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** One line for each example, followed by its problems. */
export function harnessText({ passed, examples }: HarnessReport): string {
  const lines = examples.flatMap(({ outcome, sessionId, verdicts }) => {
    const wrong = verdicts.filter(({ problems }) => problems.length > 0);
    const held = verdicts.length - wrong.length;
    return [
      `${wrong.length === 0 ? '✓' : '✗'}  worked example, ${outcome}: ${held} of ${verdicts.length} hold  (session ${inline(sessionId)})`,
      ...wrong.flatMap(({ name, problems }) => [
        `     ${name}`,
        ...problems.map((text) => `       ${inline(text, 1000)}`),
      ]),
    ];
  });
  return `${[...lines, passed ? 'passed' : 'failed'].join('\n')}\n`;
}
