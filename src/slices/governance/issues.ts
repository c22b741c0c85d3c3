import type { z } from 'zod';
import { jsonPointer } from '../../kernel/json/pointer.ts';

export interface Issue {
  readonly pointer: string;
  readonly message: string;
}

/** Every fault with the pointer of the member itself, also of one that is missing or unknown. */
export function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
    if (issue.code !== 'unrecognized_keys') return [{ pointer: jsonPointer(path), message: issue.message }];
    return issue.keys.map((key) => ({
      pointer: jsonPointer([...path, key]),
      message: `Unknown member ${JSON.stringify(key)}`,
    }));
  });
}
