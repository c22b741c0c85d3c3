import { z } from 'zod';

/**
 * Turns the text of a query string or a command-line option into what the schema's field takes. Text that does not
 * fit is left as it is, so that the schema refuses it with its own words.
 */
export function decodeText(
  schema: z.ZodObject | undefined,
  text: Readonly<Record<string, string | readonly string[]>>,
) {
  const decoded: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(text)) {
    const field = schema?.shape[key] as z.ZodType | undefined;
    decoded[key] = field ? decodeField(field, value) : value;
  }
  return decoded;
}

function decodeField(field: z.ZodType, value: string | readonly string[]): unknown {
  const bare = unwrapped(field);
  if (bare instanceof z.ZodArray) {
    return (typeof value === 'string' ? [value] : value).flatMap((item) => item.split(',')).filter(Boolean);
  }
  const text = typeof value === 'string' ? value : value.at(-1);
  if (text === undefined) return undefined;
  if (bare instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (bare instanceof z.ZodBoolean) {
    if (text === '' || text === '1' || text === 'true') return true;
    if (text === '0' || text === 'false') return false;
  }
  return text;
}

/** The schema below `.optional()`, `.nullable()` and `.default()`. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}
