import type { SearchField } from '../document.ts';
import type { Passage } from '../rules/analysis.ts';

/** The text of a document as it is kept for snippets and embedding. */
export interface Body {
  readonly fields: readonly string[];
  readonly passages: readonly (readonly [field: number, text: string])[];
}

export function writeBody(fields: readonly SearchField[], passages: readonly Passage[]): string {
  const body: Body = {
    fields: fields.map(({ name }) => name),
    passages: passages.map(({ field, text }) => [field, text]),
  };
  return JSON.stringify(body);
}

export function readBody(text: string): Body {
  return JSON.parse(text) as Body;
}
