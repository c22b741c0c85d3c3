const LEVELS: Readonly<Record<string, number>> = { low: 1, medium: 2, high: 3, critical: 4 };
const HEIGHTS = [4, 6, 9, 12] as const;

/** One to four bars: read without colour too. */
export function RiskBars({ risk }: { risk: string }) {
  const level = LEVELS[risk] ?? 0;
  const tone = level === 4 ? 'bg-mark-deny' : level === 3 ? 'bg-mark-ask' : 'bg-soft';
  return (
    <span
      role="img"
      aria-label={`${risk} risk`}
      title={`${risk} risk`}
      className="inline-flex shrink-0 items-end gap-0.5"
    >
      {HEIGHTS.map((height, at) => (
        <span
          key={height}
          style={{ height }}
          className={`w-0.75 rounded-[1px] ${at < level ? tone : 'bg-line'}`}
        />
      ))}
    </span>
  );
}
