/**
 * Claude Code can hand an event to a tool of an MCP server instead of starting a process, and `baton mcp` runs beside it
 * anyway. It fills in the members of a message as text, whatever they are.
 */

import { asString } from '../../kernel/json/loose.ts';
import { clientNamed } from '../../slices/agents/clients/clients.ts';
import type { App } from '../compose.ts';
import { logFailure } from './hook-log.ts';
import type { Message } from './message.ts';
import { hookInApp } from './on-store.ts';
import { hookRequest } from './request.ts';

/** Members that were values before they became text. */
const VALUES = ['tool_input', 'tool_response'];

/** Never fails: what went wrong is in the hooks' log. */
export async function hookOverMcp(app: App, dataDir: string, given: Message): Promise<string> {
  const client = asString(given.client) ?? '';
  try {
    if (!clientNamed(client)) throw new Error('the call names no client');
    const message = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        VALUES.includes(name) ? parsedMember(value) : value,
      ]),
    );
    const request = await hookRequest({ client, dataDir }, process.env, message);
    if (!request) return '';
    const { stdout = '' } = await hookInApp(app, request.connection, client, request.body);
    return stdout;
  } catch (error) {
    logFailure(dataDir, `hook ${client} over MCP`, error);
    return '';
  }
}

function parsedMember(text: unknown): unknown {
  if (typeof text !== 'string' || !/^[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
