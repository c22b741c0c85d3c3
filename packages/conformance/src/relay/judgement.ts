import { SPAN_CHECKS } from './span-checks.ts';
import { type AgentGraph, type ObservedSpan, type SpanTree, type TraceQuery, textAt } from './trace-query.ts';
import { burstsOfExample, type Outcome, spansOfExample } from './worked-example.ts';

export interface Verdict {
  readonly name: string;
  readonly problems: readonly string[];
}

type Names = Readonly<Record<'speaker' | 'answering', string>>;

/** Compares the session, graph and trees that the backend returns with those that the worked example must leave. */
export async function judgeExample(
  query: TraceQuery,
  sessionId: string,
  outcome: Outcome,
  names: Names,
): Promise<Verdict[]> {
  const spans = await query.spans(sessionId);
  const traceIds = [...new Set(spans.map(({ trace_id }) => trace_id))];
  const trees = (await Promise.all(traceIds.map((id) => query.tree(id)))).flat();
  return [
    { name: 'session', problems: sessionProblems(await query.session(sessionId), outcome) },
    { name: 'graph', problems: graphProblems(await query.graph(sessionId), names) },
    { name: 'tree', problems: treeProblems(trees, names) },
    { name: 'outcome', problems: outcomeProblems(spans, outcome) },
    ...Object.entries(SPAN_CHECKS).map(([name, check]) => ({ name, problems: check(spans) })),
  ];
}

function sessionProblems(found: Awaited<ReturnType<TraceQuery['session']>>, outcome: Outcome): string[] {
  if (!found) return ['the backend knows no such session'];
  const [bursts, spans] = [burstsOfExample(outcome), spansOfExample(outcome)];
  return [
    ...(found.traces === bursts
      ? []
      : [`${found.traces} traces instead of one for each of ${bursts} bursts`]),
    ...(found.spans === spans ? [] : [`${found.spans} spans instead of ${spans}`]),
  ];
}

function graphProblems({ nodes, edges }: AgentGraph, { speaker, answering }: Names): string[] {
  const agents = [speaker, 'relay', answering];
  const handovers = [
    `${speaker} → relay`,
    `relay → ${answering}`,
    `${speaker} → ${answering}`,
    `${answering} → ${speaker}`,
  ];
  return [
    ...agents.filter((id) => !nodes.includes(id)).map((id) => `no node ${id}`),
    ...nodes.filter((id) => !agents.includes(id)).map((id) => `a node ${id} without an agent`),
    ...handovers.filter((edge) => !edges.includes(edge)).map((edge) => `no edge ${edge}`),
    ...edges.filter((edge) => !handovers.includes(edge)).map((edge) => `an edge ${edge} without a handover`),
  ];
}

/** Each trace has one root, and these chains are in them: name and agent, from the root down. */
function treeProblems(trees: readonly SpanTree[], { speaker, answering }: Names): string[] {
  const found = new Set(trees.flatMap((root) => [...pathsOf(root, '')]));
  const wanted = [
    `/a2a.client.send ${speaker}/a2a.message.send ${speaker}`,
    `/a2a.client.stream ${speaker}/a2a.message.send ${speaker}`,
    `/a2a.task relay/a2a.relay.forward relay/a2a.task ${answering}`,
    `/a2a.client.recv ${speaker}/a2a.client.recv relay/a2a.relay.forward relay`,
  ];
  const sent = found.has(`/a2a.client.stream ${speaker}`) ? 0 : 1;
  const roots = new Map<string, number>();
  for (const { trace_id } of trees) roots.set(trace_id, (roots.get(trace_id) ?? 0) + 1);
  return [
    ...wanted
      .filter((path, at) => at !== sent && !found.has(path))
      .map((path) => `no chain ${path.slice(1).replaceAll('/', ' › ')}`),
    ...[...roots].filter(([, count]) => count > 1).map(([id, count]) => `trace ${id} has ${count} roots`),
  ];
}

function* pathsOf(span: SpanTree, above: string): Generator<string> {
  const path = `${above}/${span.name} ${textAt(span, 'agent.id')}`;
  yield path;
  for (const child of span.children) yield* pathsOf(child, path);
}

function outcomeProblems(spans: readonly ObservedSpan[], outcome: Outcome): string[] {
  const task = spans.find((span) => span.name === 'a2a.task' && textAt(span, 'agent.id') === 'relay');
  if (!task) return ['the relay left no span of the task'];
  const status = outcome === 'completed' ? 'ok' : 'error';
  const state = textAt(task, 'o2r.task.state');
  return [
    ...(state === outcome ? [] : [`the state of the task is ${state || 'missing'} instead of ${outcome}`]),
    ...(task.status === status ? [] : [`its status is ${task.status} instead of ${status}`]),
  ];
}
