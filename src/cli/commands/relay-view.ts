import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Host } from '../host.ts';
import { ask, type Body } from '../operation.ts';
import { parentCommand } from './parent.ts';
import { graphPage } from './relay-graph-page.ts';
import { type SpanLine, treeText } from './relay-tree.ts';

interface ViewOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly html?: string;
}

const PAGE = 500;
const AGAIN_MS = 500;

export function addRelayViewCommand(program: Command, host: Host): void {
  parentCommand(program, 'relay', 'What agents say to each other.')
    .command('view')
    .description('Show a session as trees of spans: who said what to whom, and how it ended.')
    .argument('<session>', 'the session id, or github:owner/repo#1 and the like')
    .option('--follow', 'stay and show what comes')
    .option('--html <file>', 'write the agent graph as a page that needs nothing else')
    .option('--json', 'print JSON')
    .action((session: string, options: ViewOptions) => view(host, session, options));
}

async function view(host: Host, given: string, options: ViewOptions): Promise<void> {
  const connection = await host.connect(host.settings);
  try {
    const sessionId: string = /^(github|gitlab|slack|linear):/.test(given)
      ? await ask(connection, host, 'relay.session.derive', { reference: given })
      : given;
    const read = async (after: number) => {
      const items: Body[] = [];
      let next = after;
      while (true) {
        const page = await ask(connection, host, 'relay.spans', {
          session_id: sessionId,
          after: next,
          limit: PAGE,
        });
        items.push(...page.items);
        next = page.next;
        if (page.items.length < PAGE) return { items: items as SpanLine[], next };
      }
    };
    const found = await read(0);
    if (options.html) {
      const graph = await ask(connection, host, 'relay.graph', { session_id: sessionId });
      await writeFile(options.html, graphPage(sessionId, graph));
    }
    print(found.items, options);
    for (let next = found.next; options.follow; ) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      const more = await read(next);
      next = more.next;
      if (more.items.length > 0) print(more.items, options);
    }
  } finally {
    await connection.close();
  }
}

function print(spans: readonly SpanLine[], { json, follow }: ViewOptions): void {
  if (json)
    process.stdout.write(
      follow ? spans.map((span) => `${JSON.stringify(span)}\n`).join('') : `${JSON.stringify(spans)}\n`,
    );
  else process.stdout.write(spans.length === 0 ? 'No spans yet.\n' : treeText(spans));
}
