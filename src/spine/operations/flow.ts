/** Where the pieces of a body go. */
export interface Outlet {
  /** False where it is full: the flow's `more` is called when it has room again. */
  write(piece: Uint8Array): boolean;
  /** With what went wrong here, where something did: then not all was written. */
  end(fault?: unknown): void;
}

/**
 * A body that comes piece by piece. A piece is handed on in the very call in which it comes: an iterator would take
 * several turns of the queue for each.
 */
export interface Flow {
  /** Called once; what is there already is written at once. */
  into(outlet: Outlet): void;
  more(): void;
  /** The reader has gone, or has had everything. */
  leave(): void;
}

/** For readers that ask for one piece after another. */
export function piecesOf(flow: Flow): AsyncIterable<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let end: { readonly fault?: unknown } | undefined;
  let wake: (() => void) | undefined;
  const over = { done: true, value: undefined } as const;
  flow.into({
    write(piece) {
      waiting.push(piece);
      wake?.();
      return false;
    },
    end(fault) {
      end = { fault };
      wake?.();
    },
  });

  async function next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      const piece = waiting.shift();
      if (piece) return { done: false, value: piece };
      if (end?.fault !== undefined) throw end.fault;
      if (end) return over;
      const arrival = new Promise<void>((resolve) => {
        wake = resolve;
      });
      flow.more();
      await arrival;
    }
  }

  async function leave(): Promise<IteratorResult<Uint8Array>> {
    end ??= {};
    flow.leave();
    wake?.();
    return over;
  }

  return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
}
