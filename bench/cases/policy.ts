import type { BenchCase, Comparison, Goal } from '../harness.ts';
import { type OwnProcess, ownProcess } from '../own-process.ts';
import { policyFacts } from '../policy/facts.ts';

const CONTENDERS = ['ours', 'cedar', 'casbin'] as const;
type Name = (typeof CONTENDERS)[number];

/**
 * Node 20's optimizer ends a process that calls into WebAssembly from an inlined frame when it takes that frame back
 * ("unreachable code" in the Deoptimizer). Without that inlining Cedar runs; its calls take
 * tens of microseconds, beside which a call's own cost does not show.
 */
const NODE_FLAGS: Partial<Record<Name, readonly string[]>> = { cedar: ['--no-turbo-inline-js-wasm-calls'] };

export const benchCase: BenchCase = {
  name: 'policy',
  title: 'Policy decisions against Cedar and Casbin, each in its own process',
  async prepare() {
    const processes = {} as Record<Name, OwnProcess>;
    for (const name of CONTENDERS) {
      // Seen from the case's source and from its bundle alike.
      const script = new URL(`../policy/contenders/${name}.ts`, import.meta.url);
      processes[name] = await ownProcess(script, new URL('../.bundle/', import.meta.url), {
        nodeFlags: NODE_FLAGS[name] ?? [],
      });
    }
    await requireAgreement(processes);
    const sides = (call: string) =>
      Object.fromEntries(CONTENDERS.map((name) => [name, () => processes[name].call<number>(call)]));
    return {
      facts: policyFacts(),
      comparisons: [
        {
          title: 'Resolve five actions under three policies (ours with all its events, chained and hashed)',
          unit: 'resolves',
          sides: sides('resolve'),
          goals: [
            { text: 'at least 15,000 traced resolves/s', met: (rates) => (rates.ours ?? 0) >= 15_000 },
            ...timesThePeers(1),
          ],
        },
        ...['1,000', '10,000'].map(
          (policies): Comparison => ({
            title: `One decision among ${policies} policies`,
            unit: 'decisions',
            sides: sides(`decide among ${policies}`),
            goals: timesThePeers(1_000),
          }),
        ),
      ],
      close: () => {
        for (const name of CONTENDERS) processes[name].close();
      },
    };
  },
};

function timesThePeers(times: number): Goal[] {
  return (['cedar', 'casbin'] as const).map((peer) => ({
    text: `at least ${times.toLocaleString('en')} × ${peer} deciding alone`,
    met: (rates) => (rates.ours ?? 0) >= times * (rates[peer] ?? Number.POSITIVE_INFINITY),
  }));
}

/** Rates mean nothing between contenders that answer differently. */
async function requireAgreement(processes: Record<Name, OwnProcess>): Promise<void> {
  const ours = await processes.ours.call<boolean[]>('answers');
  for (const peer of ['cedar', 'casbin'] as const) {
    const theirs = await processes[peer].call<boolean[]>('answers');
    const at = ours.findIndex((answer, index) => answer !== theirs[index]);
    if (at >= 0 || theirs.length !== ours.length) throw new Error(`${peer} differs on question ${at}`);
  }
}
