import { z } from 'zod';

type Text = string | readonly string[];

/**
 * Turns text (of a query string, a path, a command-line option) into what the schema takes. Text that does not fit
 * is left as it is, so that the schema refuses it with its own words.
 */
export function decodeText(schema: z.ZodType, text: Text): unknown {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodArray) {
    const items = typeof text === 'string' ? [text] : text;
    if (isStructured(unwrapped(bare.element as z.ZodType))) return items.flatMap(structured);
    return items.flatMap((item) => item.split(',')).filter(Boolean);
  }
  const single = typeof text === 'string' ? text : text.at(-1);
  if (single === undefined) return undefined;
  if (bare instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(single)) return Number(single);
  if (bare instanceof z.ZodBoolean)
    return { '': true, '1': true, true: true, '0': false, false: false }[single] ?? single;
  if (isStructured(bare)) return structured(single);
  return single;
}

export function decodeFields(shape: z.ZodObject | undefined, fields: Readonly<Record<string, Text>>) {
  const decoded: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(fields)) {
    const schema = shape?.shape[name] as z.ZodType | undefined;
    decoded[name] = schema ? decodeText(schema, text) : text;
  }
  return decoded;
}

function isStructured(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord;
}

function structured(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The schema below `.optional()`, `.nullable()` and `.default()`. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}
