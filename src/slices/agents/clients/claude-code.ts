import type { Client } from './event.ts';
import { answerHook, readHookMessage } from './hook-protocol.ts';
import { textOf } from './members.ts';

export const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  asks: true,
  read(message) {
    const read = readHookMessage(message, textOf(message, 'source') === 'sdk');
    // Internal forks, of a compaction say, end as a subagent that never began.
    const ghost = textOf(message, 'hook_event_name') === 'SubagentStop' && read?.subagent?.kind === '';
    return read && ghost ? { ...read, event: { kind: 'other' } } : read;
  },
  answer: answerHook,
};
