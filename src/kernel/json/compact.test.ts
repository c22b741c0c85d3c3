import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactJson, spliceMembers } from './compact.ts';
import { readDocument, readJson } from './reader.ts';
import { jsonText, objectText } from './testing.ts';
import { writeJson } from './write.ts';

describe('compacting', () => {
  it('leaves out whitespace between tokens and nothing else', () => {
    const text = ' {\n\t"a b" : [ 1.0 , "x \\" y" ] ,\r "c\\\\" : { } }\n';
    expect(compactJson(text)).toBe('{"a b":[1.0,"x \\" y"],"c\\\\":{}}');
  });

  it('answers the same text when it is compact', () => {
    const text = '{"a b":[1.0,"x \\" y"]}';
    expect(compactJson(text)).toBe(text);
  });

  it('never changes the value', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const compact = compactJson(text);
        expect(writeJson(readJson(compact))).toBe(writeJson(readJson(text)));
        expect(compactJson(compact)).toBe(compact);
      }),
    );
  });
});

describe('splicing members', () => {
  const doc = readDocument('{ "id" : "p1", "status" : "draft" , "n" : 1.50, "x" : { "status" : 1 } }');

  it('replaces in place, removes, and adds at the end', () => {
    const changes = new Map([
      ['status', '"complete"'],
      ['x', null],
      ['reviewed_by', '{ "id" : "ann" }'],
      ['absent', null],
    ]);
    expect(spliceMembers(doc, changes)).toBe(
      '{"id":"p1","status":"complete","n":1.50,"reviewed_by":{"id":"ann"}}',
    );
  });

  it('keeps every other token when there is nothing to change', () => {
    expect(spliceMembers(doc, new Map())).toBe(compactJson(doc.text));
    fc.assert(
      fc.property(objectText, (text) => {
        expect(spliceMembers(readDocument(text), new Map())).toBe(compactJson(text));
      }),
    );
  });

  it('quotes the names that it adds', () => {
    expect(spliceMembers(readDocument('{}'), new Map([['a"b', '1']]))).toBe('{"a\\"b":1}');
  });
});
