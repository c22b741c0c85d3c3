import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import pc from 'picocolors';
import { visibleJson } from '../../../kernel/visible-text.ts';
import type { Host } from '../host.ts';
import { ask, type Body, withConnection } from '../operation.ts';
import { parentCommand } from './parent.ts';
import { graphPage, graphSvg } from './relay-graph.ts';
import { logLine, type SpanLine, treeText } from './relay-tree.ts';

interface ViewOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly html?: string;
  readonly svg?: string;
}

const PAGE = 500;
const AGAIN_MS = 500;

export function addRelayViewCommand(program: Command, host: Host): void {
  parentCommand(program, 'relay', 'What agents say to each other.')
    .command('view')
    .description('Show a session as trees of spans: who said what to whom, and how it ended.')
    .argument('<session>', 'a session id, or a reference such as github:owner/repo#1')
    .option('--follow', 'keep running and show each span as it arrives')
    .option('--html <file>', 'write the agent graph as a self-contained page')
    .option('--svg <file>', 'write the agent graph as an SVG image')
    .option('--json', 'print JSON; with --follow, one span per line')
    .action((session: string, options: ViewOptions) => view(host, session, options));
}

async function view(host: Host, given: string, options: ViewOptions): Promise<void> {
  return withConnection(host, async (connection) => {
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
    if (options.html ?? options.svg) {
      const graph = await ask(connection, host, 'relay.graph', { session_id: sessionId });
      if (options.html) await written(options.html, graphPage(sessionId, graph));
      if (options.svg) await written(options.svg, graphSvg(graph));
    }
    const found = await read(0);
    if (!options.follow) return print(found.items, options);
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    printLog(found.items, options);
    for (let next = found.next; !stop.signal.aborted; ) {
      await pause(AGAIN_MS, undefined, { signal: stop.signal }).catch(() => undefined);
      const more = await read(next);
      next = more.next;
      printLog(more.items, options);
    }
  });
}

function print(spans: readonly SpanLine[], { json }: ViewOptions): void {
  if (json) process.stdout.write(`${visibleJson(JSON.stringify(spans))}\n`);
  else process.stdout.write(spans.length === 0 ? 'No spans yet.\n' : treeText(spans));
}

function printLog(spans: readonly SpanLine[], { json }: ViewOptions): void {
  for (const span of spans)
    process.stdout.write(json ? `${visibleJson(JSON.stringify(span))}\n` : logLine(span));
}

/** Said beside what is printed, so that JSON stays JSON. */
async function written(path: string, content: string): Promise<void> {
  await writeFile(path, content);
  process.stderr.write(pc.dim(`wrote ${path}\n`));
}
