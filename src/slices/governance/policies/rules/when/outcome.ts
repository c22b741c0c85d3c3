/**
 * What a test says of a value. `unclear`: the value is of a kind that it cannot judge, or may mean either. Such a value must
 * neither escape a rule that restricts nor satisfy one that grants, so only the whole condition decides how it counts.
 */
export type Outcome = boolean | 'unclear';

export function not(outcome: Outcome): Outcome {
  return outcome === 'unclear' ? outcome : !outcome;
}

export function every<T>(items: readonly T[], check: (item: T) => Outcome): Outcome {
  let all: Outcome = true;
  for (const item of items) {
    const outcome = check(item);
    if (outcome === false) return false;
    if (outcome === 'unclear') all = 'unclear';
  }
  return all;
}

export function some<T>(items: readonly T[], check: (item: T) => Outcome): Outcome {
  let any: Outcome = false;
  for (const item of items) {
    const outcome = check(item);
    if (outcome === true) return true;
    if (outcome === 'unclear') any = 'unclear';
  }
  return any;
}

/** What all of these say; unclear where they differ. */
export function agreed(outcomes: readonly Outcome[]): Outcome {
  const [first = 'unclear', ...others] = outcomes;
  return others.every((each) => each === first) ? first : 'unclear';
}
