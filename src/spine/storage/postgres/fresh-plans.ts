// For speed: with the plans of an empty store, the database spends three quarters of its time on whether the id of a package is free.
import type pg from 'pg';

/** How many transactions after one renewal the next one comes: this many times as many as before. */
const GROWTH = 4;
const FIRST = 16;

/**
 * A connection keeps the plan of a statement that it has prepared, and plans that were made for empty tables read them
 * from end to end, or by the wrong index, until the server comes to analyze them a minute later. So what was prepared is
 * planned anew from time to time: often while a store may be filling, and hardly ever after.
 */
export class FreshPlans {
  readonly #uses = new WeakMap<pg.ClientBase, { count: number; next: number }>();

  /** Ahead of a transaction. Nobody waits for it. */
  renew(client: pg.ClientBase): void {
    let uses = this.#uses.get(client);
    if (uses === undefined) {
      uses = { count: 0, next: FIRST };
      this.#uses.set(client, uses);
    }
    uses.count += 1;
    if (uses.count < uses.next) return;
    uses.next *= GROWTH;
    // A connection that breaks shows it at the statement that follows.
    client.query('discard plans').catch(() => undefined);
  }
}
