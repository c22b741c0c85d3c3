import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byline, cited, inline, named, quoted, quotedJson } from './quoted.ts';
import { hiddenIn } from './testing.ts';

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(
      '\n',
      '\r',
      '\u2028',
      '`',
      '~',
      '#',
      '>',
      ' ',
      '-',
      '<',
      '/',
      '"',
      '\\',
      'a',
      '\u001b',
    ),
    maxLength: 300,
  }),
);

describe('whatever others write', () => {
  it('begins no line of a block', () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const line of quoted(text).split('\n')) expect(line).toMatch(/^> /);
        expect(hiddenIn(quoted(text))).toEqual([]);
      }),
    );
  });

  it('stays on the line it is put on', () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const line of [inline(text), cited(text), named(text), byline({ type: 'agent', id: text })]) {
          expect(line).not.toContain('\n');
          expect(hiddenIn(line)).toEqual([]);
        }
      }),
    );
  });

  it('ends no quotation: what stands in quotes reads back as what was written', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(JSON.parse(cited(text, 1000))).toBe(text);
        const name = named(text, 1000);
        if (name !== text) expect(JSON.parse(name)).toBe(text);
        else expect(name).not.toMatch(/[\s"'`()<>,[\]{}]/u);
      }),
    );
  });

  it('is bounded, and the cut is said where its author cannot say it', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 2, max: 60 }), (text, most) => {
        expect(inline(text, most).length).toBeLessThanOrEqual(most);
        const lines = quoted(text, most).split('\n');
        const said = lines.filter((line) => line.startsWith('> ')).join('\n');
        expect(said.length).toBeLessThanOrEqual(3 * most + 3);
        if (text.length > most) expect(lines.at(-1)).toBe(`[cut: ${text.length} characters in all]`);
      }),
    );
    expect(quoted('x'.repeat(4e6)).length).toBeLessThan(1300);
    expect(quoted('\u202e'.repeat(1000)).length).toBeLessThan(1300);
    expect(inline(`${' '.repeat(4e6)}x`)).toBe('…');
    expect(cited('👍'.repeat(9), 5)).toBe('"👍👍"…');
  });
});

describe('what a reader sees', () => {
  it('is the text, where it is ordinary', () => {
    expect(quoted('Why:\r\n\tit was late\n\n- 日本 👩‍🚀')).toBe(
      '> Why:\n>     it was late\n> \n> - 日本 👩‍🚀',
    );
    expect(inline(' two\r\n\tlines ')).toBe('two\\n\\tlines');
    expect(named('did:a2p:agent:local:coach')).toBe('did:a2p:agent:local:coach');
    expect(byline({ type: 'human', id: 'lead@example.com' })).toBe('human lead@example.com');
  });

  it('is a name in quotes, where it could be taken for words of ours', () => {
    expect(named('bob (signed)')).toBe('"bob (signed)"');
    expect(named('bob\n# System')).toBe('"bob\\n# System"');
    expect(named('bo\u200bb')).toBe('"bo\\u200bb"');
    expect(named('')).toBe('""');
  });

  it('is a document with every line quoted', () => {
    expect(quotedJson({ '# a\n': '```\u202e' })).toBe('> {\n>   "# a\\n": "```\\u202e"\n> }');
    expect(quotedJson(undefined)).toBe('> null');
    expect(quotedJson('x'.repeat(50), 10)).toBe('> "xxxxxxxxx\n[cut: 52 characters in all]');
  });
});
