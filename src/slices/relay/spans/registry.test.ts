import { describe, expect, it } from 'vitest';
import { ATTR, ATTRIBUTES } from './attribute-registry.ts';
import { attributesConvention, attributesJsonSchema, attributesPage } from './registry-documents.ts';

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
