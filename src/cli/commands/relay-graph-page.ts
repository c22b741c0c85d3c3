export interface Graph {
  readonly nodes: readonly { readonly id: string; readonly spans: number; readonly errors: number }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly spans: number;
    readonly errors: number;
  }[];
}

const SIZE = 640;
const RADIUS = 240;

/** One file, no script: the relay in the middle, the agents around it in the order of their names. The same graph gives the same bytes. */
export function graphPage(title: string, graph: Graph): string {
  const places = new Map<string, { x: number; y: number }>();
  const leaves = graph.nodes.filter(({ id }) => id !== 'relay');
  const centre = SIZE / 2;
  places.set('relay', { x: centre, y: centre });
  leaves.forEach(({ id }, i) => {
    const angle = (2 * Math.PI * i) / Math.max(leaves.length, 1) - Math.PI / 2;
    places.set(id, {
      x: round(centre + RADIUS * Math.cos(angle)),
      y: round(centre + RADIUS * Math.sin(angle)),
    });
  });
  const at = (id: string) => places.get(id) ?? { x: centre, y: centre };
  const edges = graph.edges.map(({ from, to, spans, errors }) => {
    const [a, b] = [at(from), at(to)];
    const middle = { x: round((a.x + b.x) / 2), y: round((a.y + b.y) / 2) };
    return `<line x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}" class="${errors > 0 ? 'bad' : 'good'}" marker-end="url(#tip)"/><text x="${middle.x}" y="${middle.y - 6}" class="count">${spans}</text>`;
  });
  const nodes = graph.nodes.map(({ id, errors }) => {
    const { x, y } = at(id);
    return `<g><circle cx="${x}" cy="${y}" r="34" class="${errors > 0 ? 'bad' : 'good'}"/><text x="${x}" y="${y + 5}">${escaped(id)}</text></g>`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>
<style>body{font:14px system-ui;margin:2rem;color:#222;background:#fff}svg{max-width:100%}circle{fill:#fff;stroke:#2563eb;stroke-width:2}circle.bad{stroke:#dc2626}line{stroke:#94a3b8;stroke-width:1.5}line.bad{stroke:#dc2626}text{text-anchor:middle;font-size:13px}text.count{font-size:11px;fill:#64748b}</style>
<h1>Session ${escaped(title)}</h1>
<svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="Agent graph"><defs><marker id="tip" viewBox="0 0 10 10" refX="44" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" fill="#94a3b8"/></marker></defs>
${edges.join('\n')}
${nodes.join('\n')}
</svg></html>
`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
