import type { DocumentKey, SearchDocument, SearchField } from '../../../spine/search/document.ts';
import type { SummedSpan } from './sum-spans.ts';

export const SPANS = 'span';
/** Of each text; what stands further back is found by reading the span. */
const MOST_CHARACTERS = 4_000;

/** Whether anybody would look for it: something was said in it, or went wrong. */
export function hasText({ meaning, statusMessage }: SummedSpan): boolean {
  return [meaning.input, meaning.output, meaning.error, statusMessage].some(Boolean);
}

/** Asked of a span whose body was not read, if that is of no use to the sums. */
export function mayHaveText(span: SummedSpan): boolean {
  return span.row.body === null ? span.meaning.kind === 'task' : hasText(span);
}

export function spanKey(span: {
  readonly project_id: string;
  readonly trace_id: string;
  readonly span_id: string;
}): DocumentKey {
  return { projectId: span.project_id, collection: SPANS, id: `${span.trace_id}-${span.span_id}` };
}

export function spanDocument({ row, meaning, statusMessage }: SummedSpan): SearchDocument {
  const field = (name: string, text: string | undefined): SearchField[] =>
    text ? [{ name, text: text.slice(0, MOST_CHARACTERS) }] : [];
  return {
    ...spanKey(row),
    time: row.start_us,
    fields: [
      ...field('name', [row.name, meaning.model, meaning.tool, row.agent_id].filter(Boolean).join(' ')),
      ...field('input', meaning.input),
      ...field('output', meaning.output),
      ...field('error', [statusMessage, meaning.error].filter(Boolean).join(' ')),
    ],
  };
}
