/**
 * Places that are held for as long as something is open: so many in all, and fewer for each owner, so that what one keeps open
 * keeps nobody else out.
 */
export class Shares {
  readonly #most: number;
  readonly #each: number;
  readonly #held = new Map<string, number>();
  #count = 0;

  constructor({ most = Number.POSITIVE_INFINITY, each }: { readonly most?: number; readonly each: number }) {
    this.#most = most;
    this.#each = each;
  }

  /** How to give the place back, however often that is called; undefined if there is none. */
  take(owner: string): (() => void) | undefined {
    const held = this.#held.get(owner) ?? 0;
    if (held >= this.#each || this.#count >= this.#most) return undefined;
    this.#held.set(owner, held + 1);
    this.#count += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#count -= 1;
      const left = (this.#held.get(owner) ?? 1) - 1;
      if (left === 0) this.#held.delete(owner);
      else this.#held.set(owner, left);
    };
  }
}
