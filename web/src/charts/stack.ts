/** Each series on top of those before it. Drawn from the last to the first, so that every one shows its own part. */
export function stacked(series: readonly (readonly number[])[]): number[][] {
  const sums: number[] = [];
  return series.map((values) =>
    values.map((value, at) => {
      const sum = (sums[at] ?? 0) + value;
      sums[at] = sum;
      return sum;
    }),
  );
}
