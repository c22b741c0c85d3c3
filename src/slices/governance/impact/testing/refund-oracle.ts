/** For tests: reads the refund rules aloud, call after call, and shares no code with what it checks. */

export interface Terms {
  /** Refunds up to this are allowed, and above `askAbove` a person is asked. */
  readonly most: number;
  readonly askAbove: number;
  /** No refunds there. */
  readonly without: string;
  /** Reads in ten minutes. */
  readonly rate: number;
  readonly pot: {
    readonly limit: number;
    readonly windowSeconds: number | undefined;
    readonly refundable: boolean;
  };
  /** What the schema takes. */
  readonly maximum: number;
}

export interface MadeCall {
  readonly action: string;
  readonly amount: number;
  readonly country: string;
  /** Microseconds. */
  readonly at: number;
  /** In force when it was made. */
  readonly terms: Terms;
  /** It did not have to wait for a person. */
  readonly admitted: boolean;
}

type Effect = 'allow' | 'deny' | 'require_approval';

export interface Change {
  readonly action: string;
  readonly amount: number;
  readonly before: Effect;
  readonly after: Effect;
}

export function createOracle(calls: readonly MadeCall[]) {
  /** What each call gets where the terms of each are given; which got as far as the limits, and which ran. */
  function effects(
    termsOf: (call: MadeCall) => Terms,
    agreed: (call: MadeCall, at: number) => boolean,
    failed: (call: MadeCall, at: number) => boolean,
  ): { readonly effects: readonly Effect[]; readonly passed: Set<number>; readonly ran: Set<number> } {
    const [passed, ran] = [new Set<number>(), new Set<number>()];
    const reads: number[] = [];
    let spent: { at: number; amount: number; refunded: boolean }[] = [];
    const found = calls.map((call, index): Effect => {
      const terms = termsOf(call);
      if (call.action === 'order.read') {
        const recent = reads.filter((at) => at > call.at - 600_000_000).length;
        if (recent >= terms.rate) return 'deny';
        reads.push(call.at);
        return 'allow';
      }
      if (call.amount > terms.maximum || call.country === terms.without) return 'deny';
      const asks = call.amount > terms.askAbove;
      if (!asks && call.amount > terms.most) return 'deny';
      if (asks && !agreed(call, index)) return 'require_approval';
      passed.add(index);
      const { limit, windowSeconds, refundable } = terms.pot;
      const counted = spent.filter(
        ({ at, refunded }) =>
          !refunded && (windowSeconds === undefined || at > call.at - windowSeconds * 1_000_000),
      );
      const used = counted.reduce((sum, each) => sum + each.amount, 0);
      if (used + call.amount > limit) return 'deny';
      // What has dropped out of a window is forgotten, also by a later version without one.
      if (windowSeconds !== undefined)
        spent = spent.filter(({ at }) => at > call.at - windowSeconds * 1_000_000);
      spent.push({ at: call.at, amount: call.amount, refunded: refundable && failed(call, index) });
      ran.add(index);
      return asks ? 'require_approval' : 'allow';
    });
    return { effects: found, passed, ran };
  }

  return {
    changes(next: Terms): Change[] {
      const fails = ({ amount }: MadeCall) => amount % 7 === 0;
      const was = effects(
        ({ terms }) => terms,
        ({ admitted }) => admitted,
        fails,
      );
      // Whoever was let through is taken to be let through again; of what never ran, nobody knows that it fails.
      const is = effects(
        () => next,
        (_, at) => was.passed.has(at),
        (call, at) => was.ran.has(at) && fails(call),
      );
      return calls.flatMap(({ action, amount }, at) => {
        const [before, after] = [was.effects[at] as Effect, is.effects[at] as Effect];
        return before === after ? [] : [{ action, amount, before, after }];
      });
    },
  };
}
