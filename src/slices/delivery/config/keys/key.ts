/** One member of a configuration file. The check of its keys and its reference are both made from these. */
export interface Key {
  /** As a reader should see it, such as `true or false`. */
  readonly type: string;
  readonly about: string;
  readonly default?: string;
  readonly required?: true;
  /** Baton reads it; other runners of the protocol ignore it. */
  readonly ours?: true;
  /** The members of an object. */
  readonly members?: Keys;
  /** The value of each entry, where the keys are names that the project chooses. */
  readonly each?: Key;
  /** Each item of a list. */
  readonly items?: Key;
  /** Unknown members are refused here and below, because ignoring one would let something through. */
  readonly strict?: true;
}

export type Keys = Readonly<Record<string, Key>>;
