/** Two sessions of an agent over MCP: what the first one leaves, the second one knows. Starts Baton by itself. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const data = await mkdtemp(join(tmpdir(), 'baton-example-'));
const baton = process.env.BATON_BINARY ?? join(import.meta.dirname, '..', 'dist', 'baton.js');

async function inSession(work: (agent: Client) => Promise<void>): Promise<void> {
  const agent = new Client({ name: 'example', version: '1' });
  await agent.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [baton, 'mcp', '--data', data],
      env: getDefaultEnvironment(),
      stderr: 'ignore',
    }),
  );
  await work(agent).finally(() => agent.close());
}

async function use(agent: Client, action: string, more: object = {}): Promise<string> {
  const answer = await agent.callTool({ name: 'context', arguments: { action, ...more } });
  const [first] = answer.content as { readonly text: string }[];
  assert.ok(answer.isError !== true, first?.text);
  return first?.text ?? '';
}

try {
  await inSession(async (agent) => {
    await use(agent, 'orient');
    await use(agent, 'deposit', {
      title: 'Moved the cache behind the port',
      decisions_made: ['One statement per query, since the pool is small'],
      open_questions: ['Does the importer need the old order?'],
    });
  });

  await inSession(async (agent) => {
    const briefing = await use(agent, 'orient');
    assert.match(briefing, /Moved the cache behind the port/);
    assert.match(briefing, /Does the importer need the old order\?/);
    console.log('The next session knows what the last one did:\n');
    console.log(briefing);
  });
} finally {
  await rm(data, { recursive: true, force: true });
}
