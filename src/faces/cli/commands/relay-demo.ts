import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { inline } from '../../../kernel/quoted.ts';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { startAgent } from '../demo-world/loopback-agent.ts';
import type { Host } from '../host.ts';
import { ask } from '../operation.ts';
import { parentCommand } from './parent.ts';
import { treeText } from './relay-tree.ts';

const SESSION = 'github:octo/hello#1';

export function addRelayDemoCommand(program: Command, host: Host): void {
  parentCommand(program, 'demo', 'Try Baton without keys or setup.')
    .command('relay')
    .description('Put the relay between two small A2A agents and see their exchange as a trace.')
    .option('--json', 'print the spans as JSON')
    .action((options: { json?: boolean }) => demo(host, options.json === true));
}

async function demo(host: Host, json: boolean): Promise<void> {
  const say = (line: string) => json || process.stdout.write(`${line}\n`);
  const dataDir = await mkdtemp(join(tmpdir(), 'baton-demo-'));
  const databaseUrl = `sqlite:${join(dataDir, 'baton.db')}`;
  const agents = [
    await startAgent('planner', (text) => `Plan for “${text}”: one line, said warmly.`),
    await startAgent('writer', () => 'Hello, world!'),
  ];
  const connection = await host.connect({
    ...host.settings,
    dataDir,
    databaseUrl,
    url: undefined,
    token: undefined,
  });
  try {
    for (const { name, url } of agents) await ask(connection, host, 'relay.peer.register', { id: name, url });
    say(`${pc.bold('A planner and a writer, two A2A agents on loopback, and the relay between them.')}`);
    say(pc.dim('They are small HTTP servers; any A2A agent can take their place, unchanged.\n'));
    const plan = await ask(connection, host, 'relay.send', {
      to: 'planner',
      text: 'Greet the world',
      session: SESSION,
    });
    const done = await ask(connection, host, 'relay.send', {
      to: 'writer',
      as: 'planner',
      text: plan.text,
      session: SESSION,
    });
    const sessionId: string = await ask(connection, host, 'relay.session.derive', { reference: SESSION });
    const spans = await settled(
      async () => (await ask(connection, host, 'relay.spans', { session_id: sessionId })).items,
      8,
    );
    if (json) process.stdout.write(`${visibleJson(JSON.stringify(spans))}\n`);
    say(`The writer answered: ${pc.green(inline(done.text))}\n`);
    say(`Session ${pc.bold(sessionId)}, derived from ${SESSION}:\n`);
    say(treeText(spans as never));
    say(
      pc.dim(
        'With `baton up`, register your own agents: `baton relay register NAME URL`; then `baton relay view SESSION`.',
      ),
    );
  } finally {
    await connection.close();
    for (const { server } of agents) server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Spans are stored a moment after the answer. */
async function settled(read: () => Promise<unknown[]>, count: number): Promise<unknown[]> {
  for (let left = 40; ; left -= 1) {
    const items = await read();
    if (items.length >= count || left === 0) return items;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
