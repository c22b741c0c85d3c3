import { type Command, Option } from 'commander';
import { prefixedId } from '../../../kernel/ids.ts';
import { canonicalAgentic } from '../../../kernel/json/canonical/agentic.ts';
import { readJson } from '../../../kernel/json/reader.ts';
import { named } from '../../../kernel/quoted.ts';
import { nodeHasher, nodeRandom } from '../../../platform/index.ts';
import { attestation } from '../attestation.ts';
import { projectHere } from '../connect/project-here.ts';
import { doneText } from '../done-text.ts';
import type { Connection, Host } from '../host.ts';
import { ask, operationNamed, withConnection } from '../operation.ts';
import { printText } from '../output.ts';
import { anchorsOf } from './anchors.ts';

interface DepositOptions {
  readonly title: string;
  readonly decisions?: string[];
  readonly questions?: string[];
  readonly files?: string[];
  readonly anchors?: string[];
  readonly review?: string;
  readonly sign?: boolean;
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
    .option('--handoff <text>', 'what the next person or agent should know and do')
    .addOption(new Option('--next <actor>', 'who should continue').choices(['human', 'agent']))
    .option('--type <type>', 'decision, milestone, handoff, analysis, question … or x-…')
    .addOption(new Option('--review <kind>', 'ask for a review').choices(['human', 'agent']))
    .option('--draft', 'only you see it until you complete it')
    .option('--tags <words...>', 'labels')
    .option('--topic <word>', 'subject area')
    .option('--significance <1-10>', 'how important it is', Number)
    .option('--content <markdown>', 'the body')
    .option('--files <paths...>', 'what was produced')
    .option(
      '--anchors <paths...>',
      'files of this repository that it describes: who reads it later sees what changed',
    )
    .option('--parent <package>', 'what this builds on or corrects')
    .option('--session <id>', 'the session this belongs to')
    .option('--project <id>', 'the project (default: this repository’s, else your default project)')
    .option('--id <id>', 'your own package id, so that retries are safe')
    .option('--sign', 'sign it with your own key; some projects accept only signed packages')
    .option('--json', 'print JSON')
    .action(async (options: DepositOptions) => {
      await withConnection(host, async (connection) => {
        const project = options.project ?? (await projectHere(host));
        const given = { ...packageFrom({ ...options, project }), ...(await anchorsFrom(options)) };
        const answer = options.sign
          ? await depositSigned(connection, host, given)
          : await connection.call(operationNamed(host, 'packages.write'), given);
        printText(answer.body, options.json, depositedText);
      });
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

async function anchorsFrom({ anchors }: DepositOptions): Promise<Record<string, unknown>> {
  return anchors ? { 'x-anchors': await anchorsOf(anchors) } : {};
}

type Deposited = Readonly<Record<'package_id' | 'project_id' | 'title' | 'status', string>> & {
  readonly decisions_made?: readonly unknown[];
  readonly open_questions?: readonly unknown[];
};

function depositedText({ package_id, project_id, title, status, ...lists }: Deposited): string {
  const counted = (count: number, word: string) =>
    count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`];
  return doneText(`Deposited in ${named(project_id)}: ${title}`, [
    package_id,
    ...(status === 'complete' ? [] : [status.replaceAll('_', ' ')]),
    ...counted(lists.decisions_made?.length ?? 0, 'decision'),
    ...counted(lists.open_questions?.length ?? 0, 'open question'),
  ]);
}

/** Signed is what was written here: the server fills in nothing. */
async function depositSigned(connection: Connection, host: Host, given: Record<string, unknown>) {
  const {
    actor_id: id,
    actor_type: type,
    default_project,
  } = await ask(connection, host, 'identity.whoami', {});
  const { project = default_project, session_id = null, ...rest } = given;
  const package_id = rest.package_id ?? prefixedId('pkg', nodeRandom);
  const review_type = rest.review_type ?? 'none';
  const body = {
    ...rest,
    package_id,
    project_id: project,
    relay_version: '0.1',
    status: rest.status ?? (review_type === 'none' ? 'complete' : 'awaiting_review'),
    package_type: rest.package_type ?? 'standard',
    review_type,
    created_at: new Date().toISOString(),
    created_by: { id, type, session_id },
  };
  const { status: _, review_type: __, ...lasting } = body;
  const envelope = await attestation(host.settings.dataDir, {
    packageId: String(package_id),
    bodyHash: hashOf(lasting),
    contentHash: hashOf(body),
    actor: { id, type },
    role: 'author',
  });
  return connection.call(operationNamed(host, 'packages.deposit'), {
    project_id: project,
    package: body,
    'relay-attestation': Buffer.from(JSON.stringify(envelope), 'utf8').toString('base64'),
  });
}

function hashOf(value: object): string {
  return `sha256:${nodeHasher.hex(canonicalAgentic(readJson(JSON.stringify(value))))}`;
}
