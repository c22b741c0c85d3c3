/** Counters in the Prometheus text form; kept small, since a scrape must cost nothing. */
export interface Metrics {
  observe(operation: string, status: number, seconds: number, about?: RequestAbout): void;
  text(): string;
}

/** What ties a request to lines of the log and to traces of others. */
export interface RequestAbout {
  readonly requestId: string;
  readonly traceparent: string | undefined;
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Series {
  readonly statuses: Map<number, number>;
  readonly buckets: number[];
  sum: number;
  count: number;
}

export function createMetrics(): Metrics {
  const series = new Map<string, Series>();
  return {
    observe(operation, status, seconds) {
      let entry = series.get(operation);
      if (!entry) {
        entry = { statuses: new Map(), buckets: BUCKETS.map(() => 0), sum: 0, count: 0 };
        series.set(operation, entry);
      }
      entry.statuses.set(status, (entry.statuses.get(status) ?? 0) + 1);
      entry.sum += seconds;
      entry.count += 1;
      BUCKETS.forEach((bound, i) => {
        if (seconds <= bound) entry.buckets[i]! += 1;
      });
    },
    text() {
      const lines = [
        '# HELP baton_requests_total Requests by operation and status.',
        '# TYPE baton_requests_total counter',
      ];
      for (const [operation, { statuses }] of series) {
        for (const [status, count] of statuses) {
          lines.push(`baton_requests_total{operation="${operation}",status="${status}"} ${count}`);
        }
      }
      lines.push(
        '# HELP baton_request_seconds Time to answer, by operation.',
        '# TYPE baton_request_seconds histogram',
      );
      for (const [operation, { buckets, sum, count }] of series) {
        const labels = `operation="${operation}"`;
        BUCKETS.forEach((bound, i) => {
          lines.push(`baton_request_seconds_bucket{${labels},le="${bound}"} ${buckets[i]}`);
        });
        lines.push(
          `baton_request_seconds_bucket{${labels},le="+Inf"} ${count}`,
          `baton_request_seconds_sum{${labels}} ${sum}`,
          `baton_request_seconds_count{${labels}} ${count}`,
        );
      }
      return `${lines.join('\n')}\n`;
    },
  };
}
