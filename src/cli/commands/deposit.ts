import { type Command, Option } from 'commander';
import type { Host } from '../host.ts';
import { operationNamed, printBody } from '../operation.ts';

interface DepositOptions {
  readonly title: string;
  readonly decisions?: string[];
  readonly questions?: string[];
  readonly files?: string[];
  readonly review?: string;
  readonly json?: boolean;
  readonly [name: string]: unknown;
}

/** Texts with commas are texts: each value of a list is one entry. */
export function addDepositCommand(program: Command, host: Host): void {
  program
    .command('deposit')
    .description('Deposit what was done, decided and left open.')
    .requiredOption('--title <text>', 'one line: what happened')
    .option('--description <text>', 'what was done and why')
    .option('--decisions <texts...>', 'each decision with its reason')
    .option('--questions <texts...>', 'what is still open')
    .option('--handoff <text>', 'what the next one should know and do')
    .addOption(new Option('--next <actor>', 'who should go on').choices(['human', 'agent']))
    .option('--type <type>', 'decision, milestone, handoff, analysis, question … or x-…')
    .addOption(new Option('--review <kind>', 'ask for a review').choices(['human', 'agent']))
    .option('--draft', 'only you see it until you complete it')
    .option('--tags <words...>', 'labels')
    .option('--topic <word>', 'subject area')
    .option('--significance <1-10>', 'how much it matters', Number)
    .option('--content <markdown>', 'the body')
    .option('--files <paths...>', 'what was produced')
    .option('--parent <package>', 'what this builds on or corrects')
    .option('--session <id>', 'the session this belongs to')
    .option('--project <id>', 'the default project unless given')
    .option('--id <id>', 'a package id of your own, to retry safely')
    .option('--json', 'print JSON')
    .action(async (options: DepositOptions) => {
      const connection = await host.connect(host.settings);
      try {
        const answer = await connection.call(operationNamed(host, 'packages.write'), packageFrom(options));
        printBody(answer.body, options.json === true);
      } finally {
        await connection.close();
      }
    });
}

function packageFrom(options: DepositOptions): Record<string, unknown> {
  return {
    title: options.title,
    description: options.description,
    decisions_made: options.decisions,
    open_questions: options.questions,
    handoff_note: options.handoff,
    estimated_next_actor: options.next,
    package_type: options.type,
    review_type: options.review,
    status: options.draft ? 'draft' : undefined,
    tags: options.tags,
    topic: options.topic,
    significance: options.significance,
    content_md: options.content,
    deliverables: options.files?.map((path) => ({ path, type: /\.(\w+)$/.exec(path)?.[1] ?? 'file' })),
    parent_package_id: options.parent,
    session_id: options.session,
    project: options.project,
    package_id: options.id,
  };
}
