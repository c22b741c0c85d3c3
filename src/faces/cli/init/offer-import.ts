import pc from 'picocolors';
import { isInteractive } from '../agent-session.ts';
import type { Host } from '../host.ts';
import { importPast, PAST_SOURCES, type PastSource } from '../import-past.ts';
import { withConnection } from '../operation.ts';

/** Offers what the clients already know of this repository. Without anybody to ask, it says how to bring it in. */
export async function offerImport(
  host: Host,
  project: string,
  clients: readonly string[],
  ask: boolean,
): Promise<void> {
  const known = ['notes', ...clients, ...(clients.includes('claude-code') ? ['claude-mem'] : [])];
  for (const client of PAST_SOURCES.filter((source) => known.includes(source))) {
    const found = await importFrom(host, project, client, true).catch(() => 0);
    if (found === 0) continue;
    const past =
      client === 'notes'
        ? 'What CLAUDE.md, AGENTS.md and the like say'
        : `${found} earlier ${found === 1 ? 'session' : 'sessions'} of ${client} in this repository`;
    if (!ask || !isInteractive()) {
      process.stdout.write(`${past} can be imported: \`baton import ${client}\`\n`);
      continue;
    }
    const { confirm, isCancel } = await import('@clack/prompts');
    const wanted = await confirm({ message: `Import: ${past}? It stays in your own store, as quoted text.` });
    if (isCancel(wanted) || !wanted) continue;
    const taken = await importFrom(host, project, client, false);
    process.stdout.write(`${pc.green('✔')} Imported ${taken} from ${client}.\n`);
  }
}

async function importFrom(host: Host, project: string, client: PastSource, dryRun: boolean): Promise<number> {
  return withConnection(host, async (to) => (await importPast(to, host, client, { project, dryRun })).new);
}
