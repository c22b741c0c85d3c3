import { escaped, type Graph, graphSvg } from './relay-graph-svg.ts';

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
