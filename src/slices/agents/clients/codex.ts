import type { Client } from './event.ts';
import { answerHook, readHookMessage } from './hook-protocol.ts';
import { textOf } from './members.ts';

export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  /** It takes `ask` for leave to run. */
  asks: false,
  read: (message) => readHookMessage(message, textOf(message, 'permission_mode') === 'bypassPermissions'),
  answer(message, reply) {
    return answerHook(message, reply.kind === 'ask' ? { ...reply, kind: 'deny' } : reply);
  },
};
