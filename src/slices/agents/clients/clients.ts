import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import type { Client } from './event.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

const clients: readonly Client[] = [claudeCode, codex, gemini, cursor, opencode];

export const CLIENT_NAMES = ['claude-code', 'codex', 'gemini', 'cursor', 'opencode'] as const;

export function clientNamed(name: string): Client | undefined {
  return clients.find((client) => client.name === name);
}
