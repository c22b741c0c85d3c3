import { z } from 'zod';
import { decodeForm, type TextForm } from './text-form.ts';

type Text = string | readonly string[];

/** How text (of a query string, a path, a command-line option) becomes what the schema takes. */
export function textForm(schema: z.ZodType): TextForm {
  const bare = unwrapped(schema);
  if (bare instanceof z.ZodArray)
    return isStructured(unwrapped(bare.element as z.ZodType)) ? 'json list' : 'list';
  if (bare instanceof z.ZodNumber) return 'number';
  if (bare instanceof z.ZodBoolean) return 'boolean';
  return isStructured(bare) ? 'json' : 'text';
}

export function decodeFields(shape: z.ZodObject | undefined, fields: Readonly<Record<string, Text>>) {
  const decoded: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(fields)) {
    const schema = shape?.shape[name] as z.ZodType | undefined;
    decoded[name] = schema ? decodeForm(textForm(schema), text) : text;
  }
  return decoded;
}

function isStructured(schema: z.ZodType): boolean {
  return schema instanceof z.ZodObject || schema instanceof z.ZodRecord;
}

/** The schema below `.optional()`, `.nullable()` and `.default()`. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}
