import { type DatabaseOptions, reportStray } from './options.ts';

export class CommitListeners {
  readonly #options: DatabaseOptions;
  readonly #listeners = new Set<{ readonly call: () => void }>();

  constructor(options: DatabaseOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#listeners.size;
  }

  add(call: () => void): () => void {
    const entry = { call };
    this.#listeners.add(entry);
    return () => this.#listeners.delete(entry);
  }

  notify(): void {
    for (const { call } of [...this.#listeners]) {
      try {
        call();
      } catch (error) {
        reportStray(this.#options, error);
      }
    }
  }
}
