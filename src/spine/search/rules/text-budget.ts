import { utf8Length } from '../../../kernel/json/utf8.ts';

/** A token of a prompt is about four bytes of English or JSON. */
export const BYTES_PER_TOKEN = 4;

/** Takes whole entries for as long as they fit: a truncated quotation could say the opposite. */
export class TextBudget {
  readonly #entries: string[] = [];
  #left: number;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  get left(): number {
    return this.#left;
  }

  /** False, and nothing happens, if it does not fit. */
  add(entry: string): boolean {
    if (!this.take(entry)) return false;
    this.#entries.push(entry);
    return true;
  }

  /** Room for an entry that is put elsewhere. */
  take(entry: string): boolean {
    const size = utf8Length(entry) + 1;
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }

  get text(): string {
    return this.#entries.join('\n');
  }
}
