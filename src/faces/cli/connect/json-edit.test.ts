import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskJson } from './json-edit.ts';
import { jsonEntries } from './json-entry.ts';

const MEMBERS = { command: 'baton', args: ['mcp', '--as', 'cursor@default'] };

const put = (text: string) => jsonEntries.put(text, 'mcpServers', MEMBERS);
const take = (text: string, dropSection = false) => jsonEntries.take(text, 'mcpServers', dropSection);
const parsed = (text: string) => JSON.parse(maskJson(text).strict);

const COMMENTED = `{
  // what the team agreed on
  "theme": "dark", /* really */
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "files"] } // keep, "baton" is next
  },
  "last": [1, 2,], // trailing
}
`;

describe('a server entry in JSON', () => {
  it('makes the file where there is none', () => {
    expect(parsed(put(''))).toEqual({ mcpServers: { baton: MEMBERS } });
    expect(put('')).toBe(put('  \n'));
  });

  it('stands beside what was there, and every comment stays', () => {
    const text = put(COMMENTED);
    for (const comment of [
      '// what the team agreed on',
      '/* really */',
      '// keep, "baton" is next',
      '// trailing',
    ])
      expect(text).toContain(comment);
    expect(parsed(text)).toEqual({
      ...parsed(COMMENTED),
      mcpServers: { files: { command: 'npx', args: ['-y', 'files'] }, baton: MEMBERS },
    });
  });

  it('changes nothing the second time', () => {
    expect(put(put(COMMENTED))).toBe(put(COMMENTED));
  });

  it('corrects its own members and keeps those that the user added', () => {
    const text = put(COMMENTED).replace(
      '"command": "baton",',
      '"command": "old", "timeout": 5, // slow disk',
    );
    const again = put(text);
    expect(parsed(again).mcpServers.baton).toEqual({ ...MEMBERS, timeout: 5 });
    expect(again).toContain('// slow disk');
  });

  it('keeps the indentation and the line ends of the file', () => {
    const text = put('{\r\n\t"a": 1\r\n}\r\n');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(text).toContain('\r\n\t"mcpServers": {\r\n\t\t"baton"');
  });

  it.each([
    ['an empty object', '{}\n'],
    ['one line', '{"a": 1, "mcpServers": {"x": {}}}'],
    ['comments and a trailing comma', COMMENTED],
    ['a trailing comma in the section', '{\n  "mcpServers": {\n    "x": {},\n  },\n}\n'],
    ['a comment alone in the section', '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
  ])('is taken out again to the byte: %s', (_, text) => {
    expect(take(put(text), !jsonEntries.hasSection(text, 'mcpServers'))).toBe(text);
  });

  it('is taken out to the byte from any object, however it is indented', () => {
    const key = fc
      .string({ minLength: 1, maxLength: 6 })
      .filter((name) => name !== 'mcpServers' && name !== 'baton');
    const other = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
    fc.assert(
      fc.property(other, fc.option(other), fc.constantFrom(0, 2, 4, '\t'), (rest, servers, indent) => {
        const text = JSON.stringify(servers ? { ...rest, mcpServers: servers } : rest, null, indent);
        const edited = put(text);
        expect(parsed(edited)).toEqual({
          ...JSON.parse(text),
          mcpServers: { ...JSON.parse(text).mcpServers, baton: MEMBERS },
        });
        expect(take(edited, servers === null)).toBe(text);
      }),
    );
  });

  it('refuses what it cannot edit safely, and says where', () => {
    expect(() => put('{"a": }')).toThrow(/not JSON/);
    expect(() => put('[]')).toThrow(/no JSON object/);
    expect(() => put('{"mcpServers": []}')).toThrow(/`mcpServers` is no JSON object/);
    expect(() => put('{"a": "open')).toThrow(/not JSON/);
  });
});
