import { describe, expect, it } from 'vitest';
import { ATTR, ATTRIBUTES, type AttributeSpec } from './attribute-registry.ts';

describe('the attribute registry', () => {
  it('has each key once', () => {
    const keys = Object.values(ATTRIBUTES).map(({ key }) => key);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    expect(ATTR.agentId).toBe('agent.id');
  });

  it('is what the schema, the convention file and the page were made from', async () => {
    await expect(`${JSON.stringify(attributesJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
      './attributes.schema.generated.json',
    );
    await expect(attributesConvention()).toMatchFileSnapshot('./attributes.semconv.generated.yaml');
    await expect(attributesPage()).toMatchFileSnapshot('./attributes.generated.md');
  });
});

const specs: readonly AttributeSpec[] = Object.values(ATTRIBUTES);
const JSON_TYPES = { string: 'string', int: 'integer', boolean: 'boolean', 'string[]': 'array' } as const;

/** For the attributes of one span as a plain object. */
function attributesJsonSchema(): Record<string, unknown> {
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

function attributesPage(): string {
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

function attributesConvention(): string {
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
