/** What is made from the attribute registry: a JSON Schema of a span's attributes, a semantic-convention file, a page. */
import { ATTRIBUTES, type AttributeSpec } from './attribute-registry.ts';

const specs: readonly AttributeSpec[] = Object.values(ATTRIBUTES);
const JSON_TYPES = { string: 'string', int: 'integer', boolean: 'boolean', 'string[]': 'array' } as const;

/** For the attributes of one span as a plain object. */
export function attributesJsonSchema(): Record<string, unknown> {
  const required = specs.filter(({ level }) => level === 'required').map(({ key }) => key);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Attributes of an a2a.* span',
    type: 'object',
    required,
    properties: Object.fromEntries(specs.map((spec) => [spec.key, propertyOf(spec)])),
    additionalProperties: true,
  };
}

function propertyOf({ type, note, values }: AttributeSpec): Record<string, unknown> {
  return {
    type: JSON_TYPES[type],
    ...(type === 'string[]' && { items: { type: 'string' } }),
    ...(values && { enum: values }),
    description: note,
  };
}

export function attributesPage(): string {
  const rows = specs.map(
    ({ key, type, level, profile, note, values }) =>
      `| \`${key}\` | ${type} | ${level.replaceAll('_', ' ')} | ${profile} | ${note}${values ? ` One of ${values.map((value) => (value === '' ? 'empty' : `\`${value}\``)).join(', ')}.` : ''} |`,
  );
  return [
    '# Span attributes',
    '',
    'Made from `src/slices/relay/rules/attribute-registry.ts`; change that file, not this page.',
    '',
    '| key | type | level | profile | meaning |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

export function attributesConvention(): string {
  const lines = [
    'groups:',
    '  - id: registry.o2r',
    '    type: attribute_group',
    '    brief: Attributes of relayed agent exchanges.',
    '    attributes:',
  ];
  for (const { key, type, level, note, values } of specs) {
    lines.push(`      - id: ${key}`);
    if (values) {
      lines.push('        type:', '          members:');
      for (const value of values.filter(Boolean)) {
        lines.push(
          `            - id: ${value.toLowerCase().replaceAll('-', '_')}`,
          `              value: ${JSON.stringify(value)}`,
        );
      }
    } else lines.push(`        type: ${type}`);
    lines.push(`        brief: ${JSON.stringify(note)}`);
    lines.push(
      `        requirement_level: ${level === 'required_on_error' ? 'conditionally_required' : level === 'optional' ? 'opt_in' : level}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
