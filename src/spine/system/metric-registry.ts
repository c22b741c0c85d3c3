type Labels = Readonly<Record<string, string | number>>;

export interface Counter {
  add(amount?: number, labels?: Labels): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
}

/** A value that is looked up when somebody asks. */
export interface Sample {
  readonly value: number;
  readonly labels?: Labels;
}

/** Families of metrics, in the text form of Prometheus. */
export class MetricRegistry {
  readonly #families: (() => Promise<string[]> | string[])[] = [];

  counter(name: string, help: string): Counter {
    const values = new Map<string, number>();
    this.#add(name, help, 'counter', () => [...values].map(([labels, value]) => `${name}${labels} ${value}`));
    return {
      add: (amount = 1, labels = {}) => {
        const key = labelText(labels);
        values.set(key, (values.get(key) ?? 0) + amount);
      },
    };
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    const series = new Map<string, Series>();
    this.#add(name, help, 'histogram', () =>
      [...series.values()].flatMap((entry) => linesOf(name, bounds, entry)),
    );
    return {
      observe(value, labels = {}) {
        const key = labelText(labels);
        let entry = series.get(key);
        if (entry === undefined) {
          entry = { labels, counts: bounds.map(() => 0), sum: 0, count: 0 };
          series.set(key, entry);
        }
        const at = bounds.findIndex((bound) => value <= bound);
        if (at >= 0) entry.counts[at] = (entry.counts[at] ?? 0) + 1;
        entry.sum += value;
        entry.count += 1;
      },
    };
  }

  /** `read` fails where what it asks is away: then the family is left out, and the others are told. */
  gauge(
    name: string,
    help: string,
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
    kind: 'gauge' | 'counter' = 'gauge',
  ): void {
    this.#add(name, help, kind, async () =>
      (await read()).map(({ value, labels = {} }) => `${name}${labelText(labels)} ${value}`),
    );
  }

  async text(): Promise<string> {
    const families = await Promise.allSettled(this.#families.map(async (lines) => lines()));
    const lines = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    return `${lines.join('\n')}\n`;
  }

  #add(name: string, help: string, kind: string, samples: () => Promise<string[]> | string[]): void {
    this.#families.push(async () => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${kind}`,
      ...(await samples()),
    ]);
  }
}

interface Series {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
  count: number;
}

function linesOf(name: string, bounds: readonly number[], { labels, counts, sum, count }: Series): string[] {
  let upTo = 0;
  const buckets = bounds.map((bound, at) => {
    upTo += counts[at] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le: bound })} ${upTo}`;
  });
  return [
    ...buckets,
    `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`,
    `${name}_sum${labelText(labels)} ${sum}`,
    `${name}_count${labelText(labels)} ${count}`,
  ];
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${String(value).replace(/[\\"\n]/g, (c) => (c === '\n' ? '\\n' : `\\${c}`))}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
