import { readFile } from 'node:fs/promises';
import { readTraceEvent, type TraceEvent } from '../../../kernel/trace/event.ts';
import { governanceErrors } from '../errors.ts';
import { issuesOf } from '../issues.ts';
import { type RecordedInput, recordedInputSchema } from './schema.ts';

export async function readTraceFile(path: string): Promise<TraceEvent[]> {
  return linesOf(await readFile(path, 'utf8')).map((line) => readTraceEvent(line, 'trace', 'lenient'));
}

export async function readInputsFile(path: string): Promise<RecordedInput[]> {
  return linesOf(await readFile(path, 'utf8')).map((line, at) => {
    const parsed = recordedInputSchema.safeParse(JSON.parse(line));
    if (parsed.success) return parsed.data;
    const [issue] = issuesOf(parsed.error);
    throw governanceErrors.replay_error({
      message: `Line ${at + 1} of ${path} is no recorded input: ${issue?.message} at ${issue?.pointer}.`,
    });
  });
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
