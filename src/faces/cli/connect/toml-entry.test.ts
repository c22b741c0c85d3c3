import { describe, expect, it } from 'vitest';
import { tomlEntries } from './toml-entry.ts';

const MEMBERS = { command: 'baton', args: ['mcp', '--as', 'codex@default'] };
const BLOCK = '[mcp_servers.baton]\ncommand = "baton"\nargs = ["mcp","--as","codex@default"]\n';

const put = (text: string) => tomlEntries.put(text, 'mcp_servers', MEMBERS);
const take = (text: string) => tomlEntries.take(text, 'mcp_servers', true);

const FILE = `model = "o5" # the good one
notes = """
[mcp_servers.baton]
not a table
"""

[mcp_servers.files]
command = 'npx'
args = [
  "-y", # yes
  "files]",
]

# about the profile
[profiles.fast]
model = "small"
`;

describe('a server entry in TOML', () => {
  it('is a table at the end, and every other byte stays', () => {
    expect(put('')).toBe(BLOCK);
    expect(put(FILE)).toBe(`${FILE}\n${BLOCK}`);
  });

  it('is read back, and the second time changes nothing', () => {
    expect(tomlEntries.read(put(FILE), 'mcp_servers')).toEqual(MEMBERS);
    expect(tomlEntries.read(FILE, 'mcp_servers')).toBeUndefined();
    expect(put(put(FILE))).toBe(put(FILE));
  });

  it('corrects its own members and keeps what the user added, with comments', () => {
    const text = `[mcp_servers."baton"] # mine\nargs = [ "old", # why\n]\nstartup_timeout_sec = 30\n\n[other]\nx = 1\n`;
    const edited = put(text);
    expect(edited).toContain('# mine');
    expect(edited).toContain('startup_timeout_sec = 30');
    expect(edited).toContain('[other]\nx = 1\n');
    expect(tomlEntries.read(edited, 'mcp_servers')).toEqual(MEMBERS);
  });

  it('is taken out to the byte, with the tables below it', () => {
    expect(take(put(FILE))).toBe(FILE);
    expect(take(`${put(FILE)}\n[mcp_servers.baton.env]\nA = "1"\n`)).toBe(FILE);
    expect(take(put(''))).toBe('');
  });

  it('leaves the comment above the next table where it is', () => {
    const between = `${BLOCK}\n# about y\n[y]\nz = 1\n`;
    expect(take(between)).toBe('\n# about y\n[y]\nz = 1\n');
  });

  it.each([
    ['an inline table', 'mcp_servers = { baton = { command = "x" } }\n'],
    ['a member of the section', '[mcp_servers]\nbaton = { command = "x" }\n'],
    ['dotted keys', 'mcp_servers.baton.command = "x"\n'],
    ['no TOML at all', '{"a": 1}\n'],
    ['an open string', 'a = "open\n'],
  ])('refuses %s instead of breaking it', (_, text) => {
    expect(() => put(text)).toThrow(expect.objectContaining({ code: 'config_unusable' }));
  });
});
