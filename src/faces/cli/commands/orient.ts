import type { Command } from 'commander';
import { BatonError } from '../../../kernel/error.ts';
import { visibleJson } from '../../../kernel/visible-text.ts';
import { movedText, withNotice } from '../anchors/moved-text.ts';
import { projectHere, projectOrDefault } from '../connect/project-here.ts';
import type { Host } from '../host.ts';
import { operationNamed, withConnection } from '../operation.ts';
import { checkedHere } from './anchors.ts';

interface OrientOptions {
  readonly project?: string;
  readonly window?: number;
  readonly maxTokens?: number;
  readonly json?: boolean;
  readonly hook?: boolean;
}

export function addOrientCommand(program: Command, host: Host): void {
  program
    .command('orient')
    .description('Print what you need to continue: handoffs, open questions, facts, recent work.')
    .option('--project <id>', 'the project (default: this repository’s, else your default project)')
    .option('--window <days>', 'how many days to look back (default: 14)', Number)
    .option('--max-tokens <count>', 'the token budget in a prompt', Number)
    .option('--json', 'print the bundle as JSON')
    .option('--hook', 'for editor hooks: print nothing and succeed if there is nothing to report')
    .action(async (options: OrientOptions) => {
      try {
        process.stdout.write(visibleJson(await orientation(options, host)));
      } catch (error) {
        if (!options.hook || !(error instanceof BatonError)) throw error;
      }
    });
}

async function orientation(options: OrientOptions, host: Host): Promise<string> {
  const { window: window_days, maxTokens: max_tokens } = options;
  const project = options.project ?? (await projectHere(host));
  return withConnection(host, async (connection) => {
    if (!options.json) {
      const brief = operationNamed(host, 'context.brief');
      const { body } = await connection.call(brief, { project, window_days, max_tokens });
      // What cannot be checked must not cost the orientation.
      const checked = await checkedHere(connection, host, {
        ...options,
        ...(project !== undefined && { project }),
      }).catch(() => undefined);
      return withNotice(body, movedText(checked ?? []));
    }
    const orient = operationNamed(host, 'context.orient');
    const project_id = await projectOrDefault(connection, host, project);
    return `${(await connection.call(orient, { project_id, window_days, max_tokens })).body}\n`;
  });
}
