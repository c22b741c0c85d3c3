import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { shownTheme, useTheme } from '../shell/theme.ts';
import { resolveColor } from './resolve-color.ts';
import { stacked } from './stack.ts';

export interface PlotSeries {
  readonly label: string;
  /** As CSS writes it. */
  readonly color: string;
  readonly values: readonly (number | null)[];
  readonly dashed?: boolean;
}

export interface PlotProps {
  /** What is drawn, for those who do not see it. */
  readonly label: string;
  /** Seconds since 1970, one for each value. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
  readonly kind: 'bars' | 'lines';
  readonly height: number;
  readonly words: (value: number) => string;
  /** From this instant on the ground is tinted. */
  readonly since?: number | undefined;
  /** Plots of one key share their cursor. */
  readonly sync?: string;
  readonly showTimes?: boolean;
  readonly onHover?: (at: number | undefined) => void;
}

const FONT = '11px Inter, ui-sans-serif, system-ui, sans-serif';

/** A chart over time. Redrawn when what it shows, its width or the theme changes. */
export function Plot(props: PlotProps) {
  const { label, times, series, height } = props;
  const place = useRef<HTMLDivElement>(null);
  const theme = shownTheme(useTheme());
  const [width, setWidth] = useState(0);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const drawn = JSON.stringify([times, series, props.since]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `drawn` and `theme` stand for all that is read inside
  useEffect(() => {
    const element = place.current;
    if (!element || width === 0) return;
    const plot = new uPlot(optionsOf(latest, element, width, height), dataOf(latest.current), element);
    return () => plot.destroy();
  }, [width, height, theme, drawn]);

  return (
    <figure aria-label={label} className="min-w-0">
      <div ref={place} style={{ height }} className="min-w-0" aria-hidden="true" />
      <table className="sr-only">
        <caption>{label}</caption>
        <tbody>
          {series.map((each) => (
            <tr key={each.label}>
              <th scope="row">{each.label}</th>
              <td>{props.words(each.values.reduce<number>((sum, value) => sum + (value ?? 0), 0))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function dataOf({ times, series, kind }: PlotProps): uPlot.AlignedData {
  const values =
    kind === 'bars'
      ? stacked(series.map((each) => each.values.map((value) => value ?? 0))).toReversed()
      : series.map((each) => [...each.values]);
  return [[...times], ...values] as uPlot.AlignedData;
}

function optionsOf(
  latest: { readonly current: PlotProps },
  element: HTMLElement,
  width: number,
  height: number,
): uPlot.Options {
  const { series, kind, times, words, sync, showTimes = true } = latest.current;
  const step = (times[1] ?? 0) - (times[0] ?? 0);
  const color = (css: string) => resolveColor(element, css);
  const axis = { stroke: color('var(--ink-faint)'), font: FONT, ticks: { show: false } };
  const bars = uPlot.paths.bars?.({ size: [0.82, 40], align: 1, radius: 0.12 });
  const drawnSeries = kind === 'bars' ? series.toReversed() : series;
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 12, showTimes ? 0 : 4, 0],
    cursor: {
      y: false,
      points: { show: kind === 'lines' },
      drag: { x: false, y: false },
      ...(sync && { sync: { key: sync } }),
    },
    scales: {
      // A bar stands from its instant to the next: the last one needs its room, and lines above bars the same.
      x: { range: (_: uPlot, min: number, max: number) => [min, max + step] },
      y: { range: (_, __, max) => [0, Math.max(1, max)] },
    },
    axes: [
      {
        ...axis,
        show: showTimes,
        size: 24,
        gap: 4,
        grid: { show: false },
        space: 70,
        values: (_, splits) => splits.map((at) => timeWords(at, splits)),
      },
      {
        ...axis,
        size: 44,
        gap: 4,
        space: 40,
        // Where there is no room for more, the highest value alone says the scale.
        ...(height < 100 && { splits: (plot) => [0, plot.scales.y?.max ?? 1] }),
        grid: { stroke: color('var(--grid)'), width: 1 },
        values: (_, splits) => splits.map((value) => (value === 0 && height < 100 ? '' : words(value))),
      },
    ],
    series: [
      {},
      ...drawnSeries.map((each) => ({
        label: each.label,
        ...(kind === 'bars'
          ? { fill: color(each.color), width: 0, ...(bars && { paths: bars }) }
          : { stroke: color(each.color), width: 1.75, spanGaps: true, ...(each.dashed && { dash: [4, 3] }) }),
        points: { show: kind === 'lines', size: 4 },
      })),
    ],
    hooks: {
      drawClear: [
        (plot) => {
          const { since } = latest.current;
          if (since === undefined) return;
          const from = Math.max(plot.bbox.left, plot.valToPos(since, 'x', true));
          const wide = plot.bbox.left + plot.bbox.width - from;
          if (wide <= 0) return;
          plot.ctx.fillStyle = color('color-mix(in srgb, var(--accent) 6%, transparent)');
          plot.ctx.fillRect(from, plot.bbox.top, wide, plot.bbox.height);
        },
      ],
      setCursor: [(plot) => latest.current.onHover?.(plot.cursor.idx ?? undefined)],
    },
  };
}

const DAY_SECONDS = 86_400;

/** The time of day, or the day where the ticks are days apart. */
function timeWords(at: number, splits: readonly number[]): string {
  const apart = (splits[1] ?? at) - (splits[0] ?? at);
  const date = new Date(at * 1000);
  return apart >= DAY_SECONDS
    ? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
