import { asDoc, asList, type Doc } from '../../../document.ts';
import { isPlaceholder } from '../../../ids.ts';
import type { Finding } from './finding.ts';
import { fault } from './schema-fault.ts';

/** A blank of the template that came back unfilled. */
export function placeholderFindings(result: Doc): Finding[] {
  return filled(result)
    .filter(([, value]) => isPlaceholder(value))
    .map(([field, value]) =>
      fault(field, `${field} still reads ${String(value)}.`, 'Replace the placeholder.'),
    );
}

function filled(result: Doc): readonly (readonly [string, unknown])[] {
  const texts = (list: unknown, at: string, keys: readonly string[]) =>
    asList(list).flatMap((item, index) =>
      keys.map((key) => [`${at}.${index}.${key}`, asDoc(item)[key]] as const),
    );
  const items = (list: unknown, at: string) =>
    asList(list).map((item, index) => [`${at}.${index}`, item] as const);
  return [
    ['summary', result.summary],
    ['proposed_next_role', result.proposed_next_role],
    ...texts(result.decisions, 'decisions', ['statement', 'rationale']),
    ...texts(result.objections, 'objections', ['statement']),
    ...items(result.files_changed, 'files_changed'),
    ...items(asDoc(result.verification).commands, 'verification.commands'),
  ];
}
