import { isRecord, isString } from '../../../../src/kernel/json/loose.ts';
import { tryParse } from '../../../../src/slices/delivery/parse.ts';
import { type Answer, type AnswerStatus, brokenAnswer } from './target.ts';

const STATUSES: readonly string[] = ['pass', 'fail', 'error', 'not_implemented'];

export function readAnswer(text: string): Answer {
  const document = tryParse(text.trim());
  if (!isRecord(document)) return brokenAnswer('The answer is no single JSON object.');
  if (!isString(document.status) || !STATUSES.includes(document.status)) {
    return brokenAnswer(`The answer has no known status: ${JSON.stringify(document.status) ?? 'none'}.`);
  }
  return {
    status: document.status as AnswerStatus,
    message: isString(document.message) ? document.message : '',
    actual: document.actual ?? null,
  };
}
