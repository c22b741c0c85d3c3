import { readJson } from '../../../kernel/json/reader.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json/value.ts';
import { writeJson } from '../../../kernel/json/write.ts';
import { type RecordedCall, recordedCallSchema } from './schema.ts';

/** One line of JSON, the parameters as they were written. */
export function callLine({ parameters, ...rest }: RecordedCall): string {
  return `${JSON.stringify(rest).slice(0, -1)},"parameters":${writeJson(parameters)}}`;
}

/** Undefined where a line is none of ours. */
export function readCallLine(line: string): RecordedCall | undefined {
  const parsed = recordedCallSchema.safeParse(JSON.parse(line));
  const value = readJson(line);
  const parameters = isJsonObject(value) ? value.parameters : undefined;
  if (!parsed.success || !isJsonObject(parameters)) return undefined;
  return { ...parsed.data, parameters: parameters as JsonObject };
}
