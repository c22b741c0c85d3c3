import type { LooseRecord } from '../../../../src/kernel/json/loose.ts';
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
