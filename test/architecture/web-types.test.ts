import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { list, maybe, number, record, shape, text, texts } from '../../web/src/api/shape.ts';

const web = resolve(import.meta.dirname, '../../web/src');

/** A cast over what the server sent says that a field is there which nobody promised: a page crashed by one. */
it('lets no page cast what the server sent to a type that the operation does not declare', () => {
  const casts = readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) =>
      readFileSync(join(web, name), 'utf8')
        .split('\n')
        .flatMap((line, at) => (/\bas (unknown as|any)\b/.test(line) ? [`${name}:${at + 1}`] : [])),
    );
  expect(casts).toEqual([]);
});

describe('a document that somebody else wrote', () => {
  const read = shape({
    name: text,
    deny: texts,
    size: number,
    inner: shape({ id: text }),
    rows: list(shape({ id: text })),
    payload: record,
    party: maybe(shape({ id: text })),
  });
  const empty = { name: '', deny: [], size: 0, inner: { id: '' }, rows: [], payload: {}, party: undefined };

  it.each([
    undefined,
    null,
    3,
    'text',
    [],
    {},
    { deny: 'no', size: 'x', inner: 7, rows: {}, payload: [], party: null },
  ])('is read without an error, whatever it is: %j', (given) => {
    expect(read(given)).toEqual(empty);
  });

  it('gives what it has', () => {
    expect(read({ name: 'n', deny: ['a', 1], rows: [{ id: 'r' }, null], party: { id: 'p' } })).toEqual({
      ...empty,
      name: 'n',
      deny: ['a'],
      rows: [{ id: 'r' }, { id: '' }],
      party: { id: 'p' },
    });
  });
});
