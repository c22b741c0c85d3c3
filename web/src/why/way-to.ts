interface WhyLink {
  readonly from: number;
  readonly to: number;
  readonly as: string;
}

/** Of two things that rest on each other, the way is drawn from the one that was met first. */
export function forth(links: readonly WhyLink[]): readonly WhyLink[] {
  return links.filter(
    ({ from, to }) => from < to || !links.some((other) => other.from === to && other.to === from),
  );
}

/** The links of one shortest way from the subject. */
export function wayTo(links: readonly WhyLink[], chosen: number): ReadonlySet<string> {
  const before = new Map<number, number>([[0, -1]]);
  const waiting = [0];
  for (let at = waiting.shift(); at !== undefined && !before.has(chosen); at = waiting.shift()) {
    for (const { from, to } of links) {
      if (from !== at || before.has(to)) continue;
      before.set(to, from);
      waiting.push(to);
    }
  }
  const way = new Set<string>();
  for (let to = chosen; before.has(to) && to !== 0; ) {
    const from = before.get(to) ?? 0;
    way.add(`${from} ${to}`);
    to = from;
  }
  return way;
}
