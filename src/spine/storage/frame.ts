/** How a read and a unit behave on every engine: each ends with its work, and a statement that failed ends it too. */
export abstract class Frame {
  #ended = false;
  #reason: Error | undefined;
  #failure: { readonly error: unknown } | undefined;

  /** Every unit ends, so the usual error is created only when it is needed. */
  end(reason?: Error): void {
    this.#ended = true;
    this.#reason ??= reason;
  }

  /** The first statement that failed: from then on both engines refuse the rest. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  protected fail(error: unknown): void {
    this.#failure ??= { error };
  }

  protected assertOpen(): void {
    if (this.#ended) {
      throw (
        this.#reason ?? new Error('This read or unit of work has ended; await every statement inside it.')
      );
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
