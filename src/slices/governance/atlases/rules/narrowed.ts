/** What a request may leave out by naming Atlases: what they offer, and never what restricts. */

export interface Nameable {
  readonly atlasId: string;
  readonly guardrail: boolean;
  /** The ids of the Atlases that it depends on. */
  readonly dependencies: readonly string[];
}

export interface Narrowed {
  /** Nothing but its rules counts: it was not named, and offers no action and no context. */
  readonly rulesOnly: boolean;
}

/** The named ones; with them what they depend on, guardrails, and what those depend on, in their order. */
export function narrowed<T extends Nameable>(
  loaded: readonly T[],
  named: ReadonlySet<string>,
): (T & Narrowed)[] {
  const byId = new Map(loaded.map((each) => [each.atlasId, each]));
  const wanted = new Set([
    ...named,
    ...loaded.filter(({ guardrail }) => guardrail).map(({ atlasId }) => atlasId),
  ]);
  // A set that grows while it is walked is walked to its end.
  for (const id of wanted) for (const dependency of byId.get(id)?.dependencies ?? []) wanted.add(dependency);
  return loaded
    .filter(({ atlasId }) => wanted.has(atlasId))
    .map((each) => ({ ...each, rulesOnly: !named.has(each.atlasId) }));
}
