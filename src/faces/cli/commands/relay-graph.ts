export interface Graph {
  readonly nodes: readonly { readonly id: string; readonly spans: number; readonly errors: number }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly spans: number;
    readonly errors: number;
  }[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const SIZE = 640;
const CENTRE: Point = { x: SIZE / 2, y: SIZE / 2 - 10 };
const RING = 230;
const NODE = 26;
/** How far an edge bends, so that the one that comes back is beside it. */
const BEND = 26;
const HUB = 'relay';

const STYLE =
  'text{font:13px system-ui,sans-serif;text-anchor:middle;fill:#1e293b}.count{font-size:11px;fill:#475569}circle{fill:#fff;stroke:#2563eb;stroke-width:2}path{fill:none;stroke:#94a3b8;stroke-width:1.5}.bad{stroke:#dc2626}#tip path{fill:#94a3b8;stroke:none}';

/** The relay in the middle, the agents around it in the order of their names. The same graph gives the same bytes. */
export function graphSvg({ nodes, edges }: Graph): string {
  const places = placed(nodes.map(({ id }) => id));
  const at = (id: string) => places.get(id) ?? CENTRE;
  const lines = edges.map(({ from, to, spans, errors }) => {
    const { path, label } = from === to ? loop(at(from)) : curve(at(from), at(to));
    const mark = errors > 0 ? ' class="bad"' : '';
    return `<path d="${path}"${mark} marker-end="url(#tip)"><title>${escaped(`${from} → ${to}`)}: ${spans} spans, ${errors} failed</title></path><text x="${label.x}" y="${label.y}" class="count">${spans}</text>`;
  });
  const circles = nodes.map(({ id, spans, errors }) => {
    const { x, y } = at(id);
    const mark = errors > 0 ? ' class="bad"' : '';
    return `<g><circle cx="${x}" cy="${y}" r="${NODE}"${mark}/><text x="${x}" y="${round(y + 4)}" class="count">${spans}</text><text x="${x}" y="${round(y + NODE + 16)}">${escaped(id)}</text></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="Who handed over to whom"><style>${STYLE}</style><defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z"/></marker></defs>
${lines.join('\n')}
${circles.join('\n')}
</svg>
`;
}

function placed(ids: readonly string[]): ReadonlyMap<string, Point> {
  const around = ids.filter((id) => id !== HUB);
  const places = new Map<string, Point>([[HUB, CENTRE]]);
  around.forEach((id, i) => {
    const angle = (2 * Math.PI * i) / around.length - Math.PI / 2;
    places.set(id, point(CENTRE.x + RING * Math.cos(angle), CENTRE.y + RING * Math.sin(angle)));
  });
  return places;
}

/** From the rim of one circle to the rim of the other. */
function curve(a: Point, b: Point): { path: string; label: Point } {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [across, along] = [-(b.y - a.y) / length, (b.x - a.x) / length];
  const bend = point((a.x + b.x) / 2 + across * BEND, (a.y + b.y) / 2 + along * BEND);
  const [start, end] = [towards(a, bend, NODE), towards(b, bend, NODE + 3)];
  const label = point(
    (start.x + 2 * bend.x + end.x) / 4 + across * 10,
    (start.y + 2 * bend.y + end.y) / 4 + along * 10 + 4,
  );
  return { path: `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`, label };
}

function loop({ x, y }: Point): { path: string; label: Point } {
  const top = round(y - NODE);
  return {
    path: `M${round(x - 9)} ${top}C${round(x - 40)} ${round(top - 50)} ${round(x + 40)} ${round(top - 50)} ${round(x + 11)} ${round(top - 2)}`,
    label: point(x, top - 42),
  };
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return point(
    from.x + ((to.x - from.x) / length) * distance,
    from.y + ((to.y - from.y) / length) * distance,
  );
}

function point(x: number, y: number): Point {
  return { x: round(x), y: round(y) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** One file, no script, nothing from elsewhere. */
export function graphPage(title: string, graph: Graph): string {
  const rows = graph.edges.map(
    ({ from, to, spans, errors }) =>
      `<tr><td>${escaped(from)}<td>${escaped(to)}<td>${spans}<td>${errors > 0 ? errors : ''}</tr>`,
  );
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<style>body{font:14px system-ui,sans-serif;margin:2rem;color:#1e293b;background:#fff}svg{max-width:40rem}table{border-collapse:collapse}td,th{padding:.2rem 1rem .2rem 0;text-align:left}</style>
<h1>Session ${escaped(title)}</h1>
${graphSvg(graph)}<table><tr><th>from<th>to<th>spans<th>failed</tr>
${rows.join('\n')}
</table></html>
`;
}
