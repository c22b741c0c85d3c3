const PAGE = 4096;

/** Counts by number, in pages of plain numbers: four bytes for each, whatever the size of the store. */
export class Tallies {
  readonly #pages = new Map<number, Uint32Array>();

  add(number: number): void {
    const page = Math.floor(number / PAGE);
    let counts = this.#pages.get(page);
    if (counts === undefined) {
      counts = new Uint32Array(PAGE);
      this.#pages.set(page, counts);
    }
    counts[number % PAGE] = (counts[number % PAGE] as number) + 1;
  }

  get(number: number): number {
    return this.#pages.get(Math.floor(number / PAGE))?.[number % PAGE] ?? 0;
  }

  /** Every number that was counted, with its count. */
  *entries(): Generator<readonly [number: number, count: number]> {
    for (const [page, counts] of this.#pages) {
      for (let at = 0; at < PAGE; at += 1) {
        const count = counts[at] as number;
        if (count > 0) yield [page * PAGE + at, count];
      }
    }
  }
}
