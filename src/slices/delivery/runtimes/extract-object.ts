import { type Doc, isDoc } from '../document.ts';
import { tryParse } from '../parse.ts';

/** The JSON object in a model's answer: the whole of it, or the one inside a fence or between remarks. */
export function extractObject(text: string): Doc | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n```/.exec(text)?.[1];
  const braced = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text.trim(), fenced, braced]) {
    const parsed = candidate === undefined ? undefined : tryParse(candidate);
    if (isDoc(parsed)) return parsed;
  }
  return undefined;
}
