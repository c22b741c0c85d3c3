import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trustForm } from './codex-trust.ts';
import { editorNamed } from './editors.ts';
import { approvalForm, entryForm, excludeForm, hooksForm } from './forms.ts';
import { hooksIn, putHooks, takeHooks } from './hook-edits.ts';
import { hookEntries } from './hook-entries.ts';
import { memberAt } from './json-edit.ts';
import { shellLine } from './launch.ts';
import { patchBetween, withoutPatch } from './patch.ts';

const launch = {
  command: '/usr/bin/node',
  before: ["/opt/my baton's/baton.js"],
  after: ['--data', '/tmp/a "b"'],
  platform: 'linux',
} as const;
const CLIENTS = ['claude-code', 'codex', 'gemini', 'cursor'] as const;
const entries = (client: string) => hookEntries(client, launch, { overMcp: true })!;

describe('hooks in a client’s settings', () => {
  it.each(CLIENTS)('of %s are put beside what is there, once, and taken out again', (client) => {
    const [first] = entries(client).items;
    const theirs = { hooks: [{ type: 'command', command: 'mine.sh' }] };
    const before = `${JSON.stringify({ a: 1, hooks: { [first!.path[1]!]: [theirs], Other: [] } }, null, 2)}\n`;
    const put = putHooks(before, client, entries(client));
    expect((memberAt(put, first!.path) as unknown[])[0]).toEqual(theirs);
    expect(hooksIn(put, client)).toHaveLength(entries(client).items.length);
    expect(putHooks(put, client, entries(client))).toBe(put);
    // Cursor needs a version in its file, which may have been there before.
    const left = takeHooks(put, client);
    expect(client === 'cursor' ? left.replace(/,\s*"version": 1/, '') : left).toBe(before);
  });

  it('of an older installation give way', () => {
    const old = hookEntries('claude-code', { ...launch, before: ['/old/baton.js'] })!;
    const text = putHooks(putHooks('', 'claude-code', old), 'claude-code', entries('claude-code'));
    expect(text).not.toContain('/old/');
    expect(hooksIn(text, 'claude-code')).toHaveLength(entries('claude-code').items.length);
  });

  it('are quoted for a shell where the client uses one, and do nothing where Baton may be missing', () => {
    const [{ item } = { item: {} }] = entries('codex').items;
    expect(JSON.stringify(item)).toContain(
      JSON.stringify(`/usr/bin/node '/opt/my baton'\\''s/baton.js' hook codex --data '/tmp/a "b"'`).slice(
        1,
        -1,
      ),
    );
    expect(shellLine(['C:\\Program Files\\x', 'a"b'], 'win32')).toBe('"C:\\Program Files\\x" "a""b"');
    const team = hookEntries(
      'claude-code',
      { ...launch, command: 'baton', before: [], after: [] },
      { optional: true },
    );
    expect(JSON.stringify(team)).toContain(
      'command -v baton >/dev/null 2>&1 || exit 0; exec baton hook claude-code',
    );
  });

  it('start no process for what is only recorded, where the client’s own MCP process can take it', () => {
    const started = ({ items }: ReturnType<typeof entries>) =>
      items.filter(({ item }) => JSON.stringify(item).includes('"command"')).map(({ path }) => path.at(-1));
    const onlyRecorded = ['PostToolUse', 'PostToolUseFailure'];
    const own = hookEntries('claude-code', launch)!;
    expect(started(own)).toEqual(expect.arrayContaining(onlyRecorded));
    expect(started(entries('claude-code'))).toEqual(
      started(own).filter((event) => !onlyRecorded.includes(String(event))),
    );
    // A call that nobody judged would run: whoever guards must not depend on a server that may be away.
    expect(started(entries('claude-code'))).toContain('PreToolUse');
  });

  it('let the client wait longer than the question to a person is held', () => {
    const before = hookEntries('claude-code', launch, { wait: 300 })!.items.find(
      ({ path }) => path[1] === 'PreToolUse',
    );
    expect(JSON.stringify(before)).toContain('"timeout":315');
  });
});

/** JSON as people write it: comments, trailing commas, tabs, line ends, a byte order mark. */
const jsonText = fc
  .record({
    members: fc.dictionary(
      fc.constantFrom('a', 'b', 'hooks', 'permissions', 'mcpServers', 'enabledMcpjsonServers'),
      fc.constantFrom('null', '[1, 2]', '"x"', '{}', '{ "k": [] }'),
      { maxKeys: 4 },
    ),
    indent: fc.constantFrom('  ', '\t', '    ', ''),
    eol: fc.constantFrom('\n', '\r\n'),
    comma: fc.boolean(),
    comment: fc.constantFrom('', '// note', '/* a, b */'),
    bom: fc.boolean(),
    end: fc.boolean(),
  })
  .map(({ members, indent, eol, comma, comment, bom, end }) => {
    const own = (key: string, value: string) =>
      key === 'hooks' || key === 'mcpServers' ? (value.startsWith('{') ? value : '{}') : value;
    const list = (key: string, value: string) =>
      key === 'enabledMcpjsonServers' ? '["other"]' : own(key, value);
    const lines = Object.entries(members).map(([key, value]) => `${indent}"${key}": ${list(key, value)}`);
    const open = comment === '' || indent === '' ? '{' : `{${eol}${indent}${comment}`;
    const body = lines.length === 0 ? '' : `${eol}${lines.join(`,${eol}`)}${comma ? ',' : ''}${eol}`;
    return `${bom ? '\uFEFF' : ''}${open}${comment && lines.length === 0 ? eol : ''}${body}}${end ? eol : ''}`;
  });

describe('every change to a file', () => {
  it('is undone to the byte as long as nobody touched it', () => {
    const forms = [
      hooksForm('claude-code', entries('claude-code')),
      approvalForm,
      entryForm(editorNamed('claude-code'), 'claude-code@x', {
        command: 'baton',
        args: ['mcp', '--client', 'claude-code'],
      }),
    ];
    fc.assert(
      fc.property(jsonText, (text) => {
        const undo: ((edited: string) => string)[] = [];
        let edited = text;
        for (const form of forms) {
          const next = form.put(edited);
          memberAt(next, []);
          const patch = patchBetween(edited, next);
          undo.push((all) => (patch && withoutPatch(all, patch)) ?? form.take(all, false));
          expect(form.put(next)).toBe(next);
          edited = next;
        }
        for (const back of undo.reverse()) edited = back(edited);
        expect(edited).toBe(text);
      }),
      { numRuns: process.env.BATON_PROVE === '1' ? 5000 : 100 },
    );
  });

  it('leaves valid JSON without us where somebody changed the rest', () => {
    const form = hooksForm('claude-code', entries('claude-code'));
    fc.assert(
      fc.property(jsonText, (text) => {
        const put = form.put(text);
        const changed = put.replace(/\}(\s*)$/, (end) => end).replace('{', '{ "added": true,');
        if (/\{ "added": true,\s*(?:\/\/[^\n]*|\/\*.*?\*\/)?\s*\}/.test(changed)) return;
        const left = form.take(changed, false);
        expect(memberAt(left, ['added'])).toBe(true);
        expect(hooksIn(left, 'claude-code')).toEqual([]);
      }),
      { numRuns: process.env.BATON_PROVE === '1' ? 5000 : 60 },
    );
  });

  it('keeps git’s own lines and those of other clients', () => {
    const text = '*.log\n# baton:begin codex\n/x\n# baton:end codex\n';
    const put = excludeForm('gemini', ['a b/[c].json']).put(text);
    expect(put).toContain('/a b/\\[c\\].json\n');
    expect(excludeForm('codex', []).take(put, false)).toContain('/a b/');
    expect(excludeForm('gemini', []).take(put, false)).toBe(text);
  });

  it('trusts hooks in TOML and forgets it again', () => {
    const states = [
      { key: '/h/.codex/hooks.json:stop:0:0', hash: 'sha256:1' },
      { key: '/h/.codex/hooks.json:pre_tool_use:0:0', hash: 'sha256:2' },
    ];
    const text = '# mine\r\nmodel = "o5"\r\n';
    const put = trustForm(states).put(text);
    expect(put).toContain('[hooks.state."/h/.codex/hooks.json:stop:0:0"]\r\ntrusted_hash = "sha256:1"\r\n');
    expect(trustForm(states).put(put)).toBe(put);
    expect(trustForm(states).take(`${put}\r\n[hooks.state."other"]\r\ntrusted_hash = "x"\r\n`, false)).toBe(
      `${text}\r\n[hooks.state."other"]\r\ntrusted_hash = "x"\r\n`,
    );
  });
});
