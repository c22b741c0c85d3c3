import { isRecord, isString, type LooseRecord } from '../../../../src/kernel/json/loose.ts';
import { tryParse } from '../../../../src/slices/delivery/parse.ts';
import type { Capabilities } from './capabilities.ts';

export type AnswerStatus = 'pass' | 'fail' | 'error' | 'not_implemented';

export interface Answer {
  readonly status: AnswerStatus;
  readonly message: string;
  readonly actual: unknown;
}

/** An implementation under test, however it is reached. */
export interface Target {
  readonly capabilities: Capabilities;
  /** Never throws: whatever goes wrong with one fixture is that fixture's error. */
  execute(fixture: LooseRecord): Promise<Answer>;
}

export function brokenAnswer(message: string): Answer {
  return { status: 'error', message, actual: null };
}

const STATUSES: readonly string[] = ['pass', 'fail', 'error', 'not_implemented'];

export function readAnswer(text: string): Answer {
  const document = tryParse(text.trim());
  if (!isRecord(document)) return brokenAnswer('The answer is not a single JSON object.');
  if (!isString(document.status) || !STATUSES.includes(document.status)) {
    return brokenAnswer(`The answer has no known status: ${JSON.stringify(document.status) ?? 'none'}.`);
  }
  return {
    status: document.status as AnswerStatus,
    message: isString(document.message) ? document.message : '',
    actual: document.actual ?? null,
  };
}
