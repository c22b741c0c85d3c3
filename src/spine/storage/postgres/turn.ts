import type { SqlValue } from '../database.ts';

/** What a unit asks for first, if that may be answered before its turn. */
export interface Wish {
  readonly keys: readonly string[];
  readonly read?: { readonly sql: string; readonly values: readonly SqlValue[] };
}

/** Whose keys its batch has locked, and which of them units have used that ran before. */
export interface HeldKeys {
  readonly held: ReadonlySet<string>;
  readonly used: Set<string>;
}

/**
 * A unit that is begun before it may run comes as far as its first statement and waits there for its turn. So its batch
 * knows what all of its units will ask for first, and asks the server for it at once.
 */
export class Turn {
  readonly #keys: HeldKeys;
  readonly #given: Promise<void>;
  #give: () => void = () => undefined;
  readonly #reached: Promise<void>;
  #reach: () => void = () => undefined;
  #awaited = true;
  #early = false;
  #came = false;
  #wish: Wish | undefined;
  #read: Promise<object | undefined> | undefined;

  constructor(keys: HeldKeys) {
    this.#keys = keys;
    this.#given = new Promise((resolve) => {
      this.#give = resolve;
    });
    this.#reached = new Promise((resolve) => {
      this.#reach = resolve;
    });
  }

  /** Of a unit that was not begun before its turn. */
  static now(keys: HeldKeys): Turn {
    const turn = new Turn(keys);
    turn.give();
    return turn;
  }

  /** Whether a statement would have to wait. */
  get awaited(): boolean {
    return this.#awaited;
  }

  /** Once the unit waits for its turn. */
  get reached(): Promise<void> {
    return this.#reached;
  }

  get wish(): Wish | undefined {
    return this.#wish;
  }

  /** Whether the unit looked at what others leave to the commit before they had run: it has to begin anew. */
  get early(): boolean {
    return this.#early;
  }

  /** The answer to the wish, which the server was asked for before the units of the batch ran. */
  answer(read: Promise<object | undefined>): void {
    this.#read = read;
    read.catch(() => undefined);
  }

  give(): void {
    this.#awaited = false;
    this.#give();
  }

  /** For the unit: waits for its turn, before its first statement. Of several that it asks for at once none is a wish. */
  come(wish?: Wish): Promise<void> {
    this.#wish = this.#came ? undefined : wish;
    this.#came = true;
    this.#reach();
    return this.#given;
  }

  lookAround(): void {
    if (this.#awaited) this.#early = true;
  }

  /** The row that was read ahead, unless a unit that ran in between held one of the keys and may have changed it. */
  takeRead(keys: readonly string[]): Promise<object | undefined> | undefined {
    const read = this.#read;
    this.#read = undefined;
    if (read === undefined || keys.some((key) => this.#keys.used.has(key))) return undefined;
    this.hold(keys);
    return read;
  }

  /** Whether the batch has these locked. From now on others of it may find changed what the keys guard. */
  hold(keys: readonly string[]): boolean {
    for (const key of keys) this.#keys.used.add(key);
    return keys.every((key) => this.#keys.held.has(key));
  }
}
