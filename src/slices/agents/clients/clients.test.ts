/** Messages as the clients write them, and what they are told. */
import { describe, expect, it } from 'vitest';
import { CLIENT_NAMES, clientNamed } from './clients.ts';
import type { Client, HookEvent, Reply } from './event.ts';

const client = (name: string) => clientNamed(name) as Client;
const base = { session_id: 's-1', transcript_path: '/t.jsonl', cwd: '/repo' };
const deny: Reply = { kind: 'deny', reason: 'no' };
const ask: Reply = { kind: 'ask', reason: 'may I' };
const context: Reply = { kind: 'context', text: 'know this' };

function eventOf(name: string, message: Record<string, unknown>): HookEvent | undefined {
  return client(name).read(message)?.event;
}

function answered(name: string, message: Record<string, unknown>, reply: Reply): unknown {
  const { stdout, exit_code } = client(name).answer(message, reply);
  expect(exit_code).toBe(0);
  return stdout === undefined ? undefined : JSON.parse(stdout);
}

describe('the clients', () => {
  it('are all known by name', () => {
    expect(CLIENT_NAMES.map((name) => clientNamed(name)?.name)).toEqual([...CLIENT_NAMES]);
    expect(clientNamed('emacs')).toBeUndefined();
  });

  it('say nothing for silence, and take no message of another form', () => {
    for (const name of CLIENT_NAMES) {
      expect(client(name).answer({ hook_event_name: 'PreToolUse' }, { kind: 'silence' })).toEqual({
        exit_code: 0,
      });
      expect(client(name).read({})).toBeUndefined();
      expect(client(name).read({ session_id: 7, hook_event_name: null })).toBeUndefined();
    }
  });
});

describe('Claude Code', () => {
  it.each([
    [
      { hook_event_name: 'SessionStart', source: 'compact' },
      { kind: 'start', source: 'compact' },
    ],
    [
      { hook_event_name: 'SessionStart', source: 'fork' },
      { kind: 'start', source: 'startup' },
    ],
    [
      { hook_event_name: 'UserPromptSubmit', prompt: 'hi' },
      { kind: 'prompt', text: 'hi', person: true },
    ],
    [
      { hook_event_name: 'UserPromptSubmit', prompt: '<task-notification>x' },
      { kind: 'prompt', text: '<task-notification>x', person: false },
    ],
    [
      { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' },
      { kind: 'before', call: { tool: 'Bash', input: { command: 'ls' }, id: 't1' } },
    ],
    [
      {
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'ls' },
        tool_use_id: 't1',
        tool_response: { stdout: 'a', stderr: 'b', interrupted: false },
      },
      {
        kind: 'after',
        call: { tool: 'Bash', input: { command: 'ls' }, id: 't1' },
        result: { ok: true, text: 'a\nb' },
      },
    ],
    [
      { hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: {}, error: 'Exit code 1' },
      {
        kind: 'after',
        call: { tool: 'Bash', input: {}, id: undefined },
        result: { ok: false, text: 'Exit code 1' },
      },
    ],
    [
      { hook_event_name: 'Stop', last_assistant_message: 'done' },
      { kind: 'stop', lastMessage: 'done' },
    ],
    [{ hook_event_name: 'PreCompact', trigger: 'auto' }, { kind: 'compacting' }],
    [
      { hook_event_name: 'SessionEnd', reason: 'other' },
      { kind: 'end', reason: 'other' },
    ],
    [{ hook_event_name: 'Notification' }, { kind: 'other' }],
  ])('reads %j', (message, event) => {
    expect(eventOf('claude-code', { ...base, ...message })).toEqual(event);
  });

  it('tells a subagent by its id, and leaves out internal forks', () => {
    const start = client('claude-code').read({
      ...base,
      hook_event_name: 'PreToolUse',
      agent_id: 'a',
      agent_type: 'x',
    });
    expect(start).toMatchObject({ session: 's-1', subagent: { id: 'a', kind: 'x' } });
    const ghost = { ...base, hook_event_name: 'SubagentStop', agent_id: 'a', agent_type: '' };
    expect(eventOf('claude-code', ghost)).toEqual({ kind: 'other' });
  });

  it('is denied and asked before a tool, and told things at start, prompt and tool', () => {
    const before = { hook_event_name: 'PreToolUse' };
    expect(answered('claude-code', before, deny)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'no',
      },
    });
    expect(answered('claude-code', before, ask)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'ask' },
    });
    expect(answered('claude-code', { hook_event_name: 'SessionStart' }, context)).toEqual({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'know this' },
    });
    // It would make the conversation go on.
    expect(answered('claude-code', { hook_event_name: 'Stop' }, context)).toBeUndefined();
  });
});

describe('Codex', () => {
  it('reads the same form, and is never answered ask, which it would take for leave', () => {
    const patch = {
      ...base,
      hook_event_name: 'PreToolUse',
      tool_name: 'apply_patch',
      tool_input: { command: '*** Begin Patch' },
      tool_use_id: 'c1',
      permission_mode: 'bypassPermissions',
    };
    expect(client('codex').read(patch)).toMatchObject({ headless: true, event: { kind: 'before' } });
    expect(client('codex').asks).toBe(false);
    expect(answered('codex', patch, ask)).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
  });

  it('does not know how a command ended of which it has only the output', () => {
    const after = {
      ...base,
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_input: {},
      tool_response: '',
    };
    expect(eventOf('codex', after)).toMatchObject({ result: { ok: undefined, text: '' } });
  });
});

describe('Gemini CLI', () => {
  it.each([
    [
      { hook_event_name: 'SessionStart', source: 'resume' },
      { kind: 'start', source: 'resume' },
    ],
    [
      { hook_event_name: 'BeforeAgent', prompt: '<hook_context>ours</hook_context>\n\nfix it' },
      { kind: 'prompt', text: 'fix it', person: true },
    ],
    [
      { hook_event_name: 'BeforeTool', tool_name: 'run_shell_command', tool_input: { command: 'ls' } },
      { kind: 'before', call: { tool: 'run_shell_command', input: { command: 'ls' } } },
    ],
    [
      {
        hook_event_name: 'AfterTool',
        tool_name: 'run_shell_command',
        tool_input: { command: 'x' },
        tool_response: { llmContent: 'Output: bad\nExit Code: 3' },
      },
      {
        kind: 'after',
        call: { tool: 'run_shell_command', input: { command: 'x' } },
        result: { ok: false, text: 'Output: bad\nExit Code: 3' },
      },
    ],
    [
      { hook_event_name: 'AfterAgent', prompt_response: 'done' },
      { kind: 'stop', lastMessage: 'done' },
    ],
    [{ hook_event_name: 'PreCompress', trigger: 'auto' }, { kind: 'other' }],
  ])('reads %j', (message, event) => {
    expect(eventOf('gemini', { ...base, ...message })).toEqual(event);
  });

  it('is denied in its own form, also where a person would have to be asked', () => {
    const before = { hook_event_name: 'BeforeTool' };
    expect(answered('gemini', before, deny)).toEqual({ decision: 'deny', reason: 'no' });
    expect(answered('gemini', before, ask)).toEqual({ decision: 'deny', reason: 'may I' });
    expect(answered('gemini', before, context)).toBeUndefined();
  });
});

describe('Cursor', () => {
  const cursor = { conversation_id: 'c-1', generation_id: 'g', workspace_roots: ['/repo'] };
  it.each([
    [{ hook_event_name: 'sessionStart' }, { kind: 'start', source: 'startup' }],
    [
      { hook_event_name: 'beforeShellExecution', command: 'git push', cwd: '/repo' },
      { kind: 'before', call: { tool: 'Shell', input: { command: 'git push' }, id: undefined } },
    ],
    [
      { hook_event_name: 'beforeMCPExecution', tool_name: 'x', tool_input: '{"a":1}', url: 'http://h' },
      {
        kind: 'before',
        call: { tool: 'MCP:x', input: { server: 'http://h', arguments: { a: 1 } }, id: undefined },
      },
    ],
    [
      { hook_event_name: 'beforeReadFile', file_path: '/repo/a', content: '' },
      { kind: 'before', call: { tool: 'Read', input: { file_path: '/repo/a' }, id: undefined } },
    ],
    [{ hook_event_name: 'stop', status: 'completed' }, { kind: 'stop' }],
  ])('reads %j', (message, event) => {
    expect(eventOf('cursor', { ...cursor, ...message })).toEqual(event);
  });

  it('is answered a permission, and nothing else where it reads a file', () => {
    const shell = { hook_event_name: 'beforeShellExecution' };
    expect(answered('cursor', shell, ask)).toEqual({
      permission: 'ask',
      user_message: 'may I',
      agent_message: 'may I',
    });
    expect(answered('cursor', { hook_event_name: 'beforeReadFile' }, deny)).toEqual({ permission: 'deny' });
    expect(answered('cursor', { hook_event_name: 'beforeSubmitPrompt' }, context)).toBeUndefined();
    expect(answered('cursor', { hook_event_name: 'sessionStart' }, context)).toEqual({
      additional_context: 'know this',
    });
  });
});

describe('opencode', () => {
  it('is read and answered as our plugin writes it', () => {
    const before = {
      hook: 'tool.execute.before',
      session: 'ses_1',
      parent: 'ses_0',
      input: { tool: 'bash', sessionID: 'ses_1', callID: 'c1' },
      output: { args: { command: 'ls' } },
    };
    expect(client('opencode').read(before)).toEqual({
      session: 'ses_1',
      parent: 'ses_0',
      headless: false,
      event: { kind: 'before', call: { tool: 'bash', input: { command: 'ls' }, id: 'c1' } },
    });
    expect(answered('opencode', before, deny)).toEqual({ deny: 'no' });
    expect(answered('opencode', before, context)).toEqual({ context: 'know this' });
    const after = { ...before, hook: 'tool.execute.after', output: { output: 'x', metadata: { exit: 1 } } };
    expect(eventOf('opencode', after)).toMatchObject({ kind: 'after', result: { ok: false, text: 'x' } });
    const said = { hook: 'chat.message', session: 's', output: { parts: [{ type: 'text', text: 'fix' }] } };
    expect(eventOf('opencode', said)).toEqual({ kind: 'prompt', text: 'fix', person: true });
  });
});
