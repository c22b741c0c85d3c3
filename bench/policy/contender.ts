import type { Policy } from '../../src/slices/governance/atlases/schema.ts';
import { answerCalls } from '../own-process.ts';
import { LARGE_SAMPLE, largeWorld, SMALL_ACTIONS, SMALL_POLICIES } from './worlds.ts';

export type Ask = (actionId: string) => boolean | Promise<boolean>;

export interface Contender {
  /** Whatever it does once to be quick later. */
  prepare(actionIds: readonly string[], policies: readonly Policy[]): Ask | Promise<Ask>;
  /** Resolves all small actions once; without it, each is asked for. */
  readonly resolve?: () => void;
  /** Per turn, so that a turn lasts long beside the message that starts it. */
  readonly turns: { readonly resolves: number; readonly thousand: number; readonly tenThousand: number };
}

export async function compete(contender: Contender): Promise<void> {
  const small = await contender.prepare(SMALL_ACTIONS, SMALL_POLICIES);
  const thousand = largeWorld(1_000);
  const tenThousand = largeWorld(10_000);
  const askThousand = await contender.prepare(thousand.actions, thousand.policies);
  const askTenThousand = await contender.prepare(tenThousand.actions, tenThousand.policies);
  const { turns } = contender;
  answerCalls({
    answers: async () => {
      const answers: boolean[] = [];
      for (const id of SMALL_ACTIONS) answers.push(await small(id));
      for (const id of thousand.actions.slice(0, LARGE_SAMPLE)) answers.push(await askThousand(id));
      for (const id of tenThousand.actions.slice(0, LARGE_SAMPLE)) answers.push(await askTenThousand(id));
      return answers;
    },
    resolve: async () => {
      for (let n = 0; n < turns.resolves; n += 1) {
        if (contender.resolve) contender.resolve();
        else for (const id of SMALL_ACTIONS) await small(id);
      }
      return turns.resolves;
    },
    'decide among 1,000': () => decisions(askThousand, thousand.actions, turns.thousand),
    'decide among 10,000': () => decisions(askTenThousand, tenThousand.actions, turns.tenThousand),
  });
}

async function decisions(ask: Ask, actionIds: readonly string[], times: number): Promise<number> {
  for (let n = 0; n < times; n += 1) {
    const answer = ask(actionIds[(n * 31) % actionIds.length] as string);
    // Awaiting what is there already would be most of the time of a quick contender.
    if (typeof answer !== 'boolean') await answer;
  }
  return times;
}
