import { depthFirst } from './depth-first.ts';
import type { ComparisonView } from './schema.ts';
import type { UnderstoodSpan } from './understood-span.ts';

type Step = ComparisonView['steps'][number];
type Side = ComparisonView['left'];

/** Steps of two traces are the same step if they have the same way from the root: names, and which of its kind. */
export function compareTraces(
  left: readonly UnderstoodSpan[],
  right: readonly UnderstoodSpan[],
): Omit<ComparisonView, 'complete'> {
  const [leftSteps, rightSteps] = [stepsOf(left), stepsOf(right)];
  const steps: Step[] = [...leftSteps].map(([key, own]) =>
    step(own.path, own.span, rightSteps.get(key)?.span),
  );
  for (const [key, own] of rightSteps) {
    if (!leftSteps.has(key)) steps.push(step(own.path, undefined, own.span));
  }
  return { left: sideOf(left), right: sideOf(right), steps };
}

interface Placed {
  readonly path: string[];
  readonly span: UnderstoodSpan;
}

function stepsOf(spans: readonly UnderstoodSpan[]): Map<string, Placed> {
  const bySpan = new Map(spans.map((span) => [span.view.span_id, span]));
  const steps = new Map<string, Placed>();
  const above: string[] = [];
  const seen = new Map<string, number>();
  const places = spans.map(({ view: { span_id, parent_span_id, name }, startMicros }) => ({
    span_id,
    parent_span_id,
    name,
    start_us: startMicros,
  }));
  for (const { span: place, depth } of depthFirst(places)) {
    const span = bySpan.get(place.span_id);
    if (!span) continue;
    above.length = depth;
    const name = [place.name, span.meaning.tool ?? span.agent].filter(Boolean).join(' · ');
    const plain = JSON.stringify([...above.slice(-MOST_ABOVE), depth, name]);
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    above.push(count === 1 ? name : `${name} #${count}`);
    const path = above.slice(-MOST_ABOVE - 1);
    steps.set(JSON.stringify([depth, ...path]), { path, span });
  }
  return steps;
}

/** A trace can be thousands of spans deep; whole paths of all of them would be as many squared. */
const MOST_ABOVE = 20;

function step(path: string[], left: UnderstoodSpan | undefined, right: UnderstoodSpan | undefined): Step {
  const differences: Step['differences'] = [];
  if (left && right) {
    if (left.view.status !== right.view.status) differences.push('status');
    if (left.meaning.model !== right.meaning.model) differences.push('model');
    if (left.meaning.input !== right.meaning.input) differences.push('input');
    if (left.meaning.output !== right.meaning.output) differences.push('output');
    if (tokensOf(left) !== tokensOf(right)) differences.push('tokens');
  }
  const change = !right ? 'only_left' : !left ? 'only_right' : differences.length > 0 ? 'changed' : 'same';
  return { path, change, differences, left: shown(left), right: shown(right) };
}

function shown(span: UnderstoodSpan | undefined): Step['left'] {
  if (!span) return null;
  const { view, meaning } = span;
  return {
    span_id: view.span_id,
    duration_ms: view.duration_ms,
    status: view.status,
    ...(meaning.model !== undefined && { model: meaning.model }),
    tokens: tokensOf(span),
  };
}

function tokensOf({ meaning: { usage } }: UnderstoodSpan): number {
  return usage ? usage.input + usage.output : 0;
}

function sideOf(spans: readonly UnderstoodSpan[]): Side {
  const starts = spans.map(({ startMicros }) => startMicros);
  const ends = spans.map(({ startMicros, view }) => startMicros + view.duration_ms * 1000);
  const first = starts.reduce((least, at) => Math.min(least, at), starts[0] ?? 0);
  const last = ends.reduce((most, at) => Math.max(most, at), first);
  return {
    trace_id: spans[0]?.view.trace_id ?? '',
    spans: spans.length,
    errors: spans.filter(({ view }) => view.status === 'error').length,
    duration_ms: Math.round(last - first) / 1000,
    tokens: spans.reduce((sum, span) => sum + tokensOf(span), 0),
  };
}
