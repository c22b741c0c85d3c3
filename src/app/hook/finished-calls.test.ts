import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { finishedCalls } from './finished-calls.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-calls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function transcript(...records: readonly object[]): string {
  const path = join(folder, `${Math.random()}.jsonl`);
  writeFileSync(path, `${records.map((record) => JSON.stringify(record)).join('\n')}\n`);
  return path;
}

describe('what Claude Code’s transcript tells of finished calls', () => {
  const said = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });
  const used = (id: string, command: string) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command } }] },
  });
  const got = (id: string, content: string, is_error = false) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content, is_error }] },
  });

  it('is each call since the last prompt that ran, with how it ended', () => {
    const path = transcript(
      said('before'),
      used('old', 'echo old'),
      got('old', 'old'),
      said('now'),
      used('fine', 'echo fine'),
      got('fine', 'fine'),
      used('failed', 'exit 3'),
      got('failed', 'Exit code 3\nno luck', true),
      used('refused', 'rm -rf /'),
      got('refused', 'PreToolUse:Bash hook error: rule R1 says no', true),
      used('unfinished', 'sleep 9'),
    );
    expect(finishedCalls('claude-code', path)).toEqual([
      { id: 'fine', tool: 'Bash', input: { command: 'echo fine' }, ok: true, text: 'fine' },
      { id: 'failed', tool: 'Bash', input: { command: 'exit 3' }, ok: false, text: 'Exit code 3\nno luck' },
    ]);
  });
});

describe('what Codex’s transcript tells of finished calls', () => {
  const item = (payload: object) => ({ type: 'response_item', payload });
  const used = (call_id: string, cmd: string) =>
    item({ type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id });
  const got = (call_id: string, output: string) => item({ type: 'function_call_output', call_id, output });
  const turn = { type: 'event_msg', payload: { type: 'task_started' } };

  it('is each call of the turn whose exit code is known', () => {
    const path = transcript(
      turn,
      used('old', 'true'),
      got('old', 'Process exited with code 0\nOutput:\n'),
      turn,
      used('failed', 'exit 3'),
      got('failed', 'Wall time: 0 s\nProcess exited with code 3\nOutput:\nno luck'),
      used('refused', 'rm -rf /'),
      got('refused', 'Command blocked by PreToolUse hook: rule R1 says no. Command: rm -rf /'),
    );
    expect(finishedCalls('codex', path)).toEqual([
      { id: 'failed', tool: 'exec_command', input: { cmd: 'exit 3' }, ok: false, text: 'no luck' },
    ]);
  });
});

it('is nothing for a client that tells all itself, a file that is not there, or none at all', () => {
  expect(finishedCalls('gemini', transcript({ type: 'user' }))).toEqual([]);
  expect(finishedCalls('codex', join(folder, 'absent'))).toEqual([]);
  expect(finishedCalls('claude-code', undefined)).toEqual([]);
  expect(finishedCalls('codex', transcript([], { type: 'response_item', payload: null }))).toEqual([]);
});
