type Schema = Readonly<Record<string, unknown>>;

/** The schema's own example, or the smallest value that fits it, as far as it says so: something to begin from. */
export function exampleOf(schema: Schema, name = 'value'): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Schema[] | undefined;
  if (choices?.[0]) return exampleOf(choices[0], name);
  switch (schema.type) {
    case 'object':
      return objectExample(schema);
    case 'array':
      return Number(schema.minItems ?? 0) > 0 ? [exampleOf((schema.items ?? {}) as Schema, name)] : [];
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? schema.exclusiveMinimum ?? 1), 1);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return textExample(schema, name);
    default:
      return schema.type === undefined ? {} : name;
  }
}

function objectExample(schema: Schema): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as readonly string[];
  return Object.fromEntries(required.map((key) => [key, exampleOf(properties[key] ?? {}, key)]));
}

function textExample({ format, pattern }: Schema, name: string): string {
  if (format === 'uuid' || /0-9a-f.*\{8\}/i.test(String(pattern ?? ''))) {
    return '00000000-0000-4000-8000-000000000000';
  }
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  if (format === 'uri') return 'https://example.com/';
  return /_id$|^id$/.test(name) ? `your-${name.replaceAll('_', '-')}` : name;
}
