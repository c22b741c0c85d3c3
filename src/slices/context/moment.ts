import { parseInstant } from '../../kernel/instant.ts';
import { dayAsInstant } from './schema.ts';

/** Microseconds of an instant, or of the first instant of a day. */
export function moment(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseInstant(dayAsInstant(text))?.micros;
}
