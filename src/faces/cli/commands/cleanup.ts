import type { Command } from 'commander';
import pc from 'picocolors';
import { BatonError } from '../../../kernel/error.ts';
import { visible, visibleJson } from '../../../kernel/visible-text.ts';
import type { CleanupReport } from '../../../spine/operations/cleanup-report.ts';
import { projectOrDefault } from '../connect/project-here.ts';
import type { Connection, Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { checkedHere } from './anchors.ts';

interface CleanupOptions {
  readonly project?: string;
  readonly imported?: boolean;
  readonly json?: boolean;
}

export function addCleanupCommand(program: Command, host: Host): void {
  program
    .command('cleanup')
    .description(
      'Report memories, packages and facts that have gone bad, with a proposal for each. Changes nothing.',
    )
    .option('--project <id>', 'the project (default: this repository’s, else your default project)')
    .option('--imported', 'only what came with an import')
    .option('--json', 'print JSON')
    .action(async (options: CleanupOptions) => {
      const found = await withConnection(host, (connection) => everything(connection, host, options));
      process.stdout.write(options.json ? `${visibleJson(JSON.stringify(found))}\n` : inWords(found));
    });
}

async function everything(
  connection: Connection,
  host: Host,
  { project, imported }: CleanupOptions,
): Promise<CleanupReport> {
  const project_id = await projectOrDefault(connection, host, project);
  const given = imported ? { imported } : {};
  const context = (await ask(connection, host, 'context.cleanup', { project_id, ...given })) as CleanupReport;
  const memory = await memoriesOf(connection, host, given);
  const anchors = imported ? [] : await staleAnchors(connection, host, project_id);
  return {
    looked_at: context.looked_at + memory.looked_at,
    more: context.more || memory.more,
    findings: [...memory.findings, ...context.findings, ...anchors],
  };
}

const NOTHING: CleanupReport = { looked_at: 0, more: false, findings: [] };

/** Memories are their person's: whoever is somebody else gets the rest of the report. */
async function memoriesOf(connection: Connection, host: Host, given: object): Promise<CleanupReport> {
  try {
    return (await ask(connection, host, 'memory.cleanup', { ...given })) as CleanupReport;
  } catch (error) {
    if (error instanceof BatonError && (error.status === 404 || error.status === 403)) return NOTHING;
    throw error;
  }
}

async function staleAnchors(
  connection: Connection,
  host: Host,
  project: string,
): Promise<CleanupReport['findings']> {
  const checked = (await checkedHere(connection, host, { project })) ?? [];
  return checked
    .filter(({ state }) => state === 'changed' || state === 'gone')
    .map(({ kind, id, about, path, state }) => ({
      kind: 'stale_anchor',
      things: [{ kind, id, text: about }],
      why: `${path} ${state === 'gone' ? 'is gone' : 'has changed'} since.`,
      proposal: null,
    }));
}

const TITLES: Readonly<Record<string, string>> = {
  secret: 'Secrets',
  exact_duplicate: 'Duplicates',
  near_duplicate: 'Nearly the same',
  contradiction: 'Contradictions',
  stale_anchor: 'About files that have changed',
  faded: 'Faded',
  never_read: 'Never read',
  oversized: 'Too long',
};
const SHOWN_OF_EACH = 20;

function inWords({ looked_at, more, findings }: CleanupReport): string {
  const looked = `Looked at ${looked_at}${more ? ' of the newest' : ''}.`;
  if (findings.length === 0) return `Nothing to clean up. ${looked}\n`;
  const lines = Object.entries(TITLES).flatMap(([kind, title]) => {
    const found = findings.filter((finding) => finding.kind === kind);
    if (found.length === 0) return [];
    const rest = found.length - SHOWN_OF_EACH;
    return [
      pc.bold(`${title} (${found.length})`),
      ...found.slice(0, SHOWN_OF_EACH).flatMap(findingLines),
      ...(rest > 0 ? [pc.dim(`  … and ${rest} more; --json shows all.`)] : []),
      '',
    ];
  });
  return `${lines.join('\n')}\n${looked}\n`;
}

function findingLines({ things, why, proposal }: CleanupReport['findings'][number]): string[] {
  const what = things.map(({ kind, id, text }) =>
    visible(`  ${kind} ${id}${text === '' ? '' : `: ${text.replace(/\s+/g, ' ')}`}`),
  );
  const mend = proposal === null ? '' : ` → ${proposal.operation} ${JSON.stringify(proposal.input)}`;
  return [...what, pc.dim(visible(`    ${why}${mend}`))];
}
