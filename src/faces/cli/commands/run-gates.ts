import { type Command, Option } from 'commander';
import type { Adopted } from '../../../slices/delivery/commands.ts';
import { requirePerson } from '../agent-session.ts';
import { EXIT, type Host } from '../host.ts';
import { decideAttached, requirePersonsCredential } from './run-decide.ts';
import { gateViewText } from './run-gate-text.ts';
import { policyOf } from './run-server.ts';
import { gateText, nextLine, resultText } from './run-text.ts';
import { dirVerb, openRun, operator, type RunOptions, show } from './run-verb.ts';

type Since = 'phase' | 'run';

interface DecisionOptions extends RunOptions {
  readonly by?: string;
  readonly note?: string;
}

export function addGateVerbs(run: Command, host: Host): void {
  dirVerb(run, 'gate [name]', 'Show whether a gate would open now, and why.')
    .option('--diff', 'show its documents and the changes that it approves, too')
    .addOption(new Option('--since <when>', 'with --diff: from where on').choices(['phase', 'run']))
    .action(async (name: string | undefined, options: RunOptions & { diff?: boolean; since?: Since }) => {
      const { run: commands, repository } = await openRun(host, options);
      if (options.diff || options.since !== undefined) {
        const view = await commands.viewGate(repository, name, options.since);
        // Its documents and its diff have lines, which are quoted instead of being put on one.
        show(options, view, () => gateViewText(view));
        if (view !== null && !view.passesNow) process.exitCode = EXIT.error;
        return;
      }
      const report = await commands.showGate(repository, name);
      show(options, report, gateText);
      if (report !== null && !report.passesNow) process.exitCode = EXIT.error;
    });
  decisionVerb(run, 'approve', 'Approve the gate that the run is waiting at.').action(
    async (options: DecisionOptions) => {
      await requirePerson(host);
      const { run: commands, repository } = await openRun(host, options);
      if (await throughInbox(host, options, commands, repository, 'approve', ['gate'])) return;
      const result = await commands.approve(repository, {
        ...saidBy(options),
        resolve: policyOf(host, repository.root),
      });
      show(options, result, resultText);
    },
  );
  decisionVerb(run, 'decline', 'Decline the gate; the phase continues.').action(
    async (options: DecisionOptions) => {
      await requirePerson(host);
      const { run: commands, repository } = await openRun(host, options);
      if (await throughInbox(host, options, commands, repository, 'reject', ['gate'])) return;
      show(options, await commands.declineGate(repository, saidBy(options)), resultText);
    },
  );
  dirVerb(run, 'escalate <reason...>', 'Stop the run until a person steps in, giving the reason.')
    .option('--by <name>', 'who decides (default: you)')
    .action(async (reason: string[], options: DecisionOptions) => {
      const { run: commands, repository } = await openRun(host, options);
      const result = await commands.escalate(repository, reason.join(' '), options.by ?? operator());
      show(options, result, resultText);
    });
  dirVerb(run, 'resume', 'Resume after a stop.')
    .option('--by <name>', 'who decides (default: you)')
    .action(async (options: DecisionOptions) => {
      await requirePerson(host);
      const { run: commands, repository } = await openRun(host, options);
      const kinds = ['escalation', 'needs_human'];
      if (await throughInbox(host, options, commands, repository, 'approve', kinds)) return;
      const attached = (await commands.attachmentOf(repository)) !== null;
      const by = attached ? await requirePersonsCredential(host) : (options.by ?? operator());
      show(options, await commands.resume(repository, by, attached), resultText);
    });
  dirVerb(run, 'adopt', 'Vouch for what was changed outside Baton: governed files, gate documents, commits.')
    .option('--by <name>', 'who vouches (default: you)')
    .action(async (options: DecisionOptions) => {
      await requirePerson(host);
      const { run: commands, repository } = await openRun(host, options);
      const attached = (await commands.attachmentOf(repository)) !== null;
      const by = attached ? await requirePersonsCredential(host) : (options.by ?? operator());
      show(options, await commands.adoptChanges(repository, { by, credentialed: attached }), adoptedText);
    });
  dirVerb(run, 'restore', 'Put governed files back as Baton last wrote them.').action(
    async (options: RunOptions) => {
      await requirePerson(host);
      const { run: commands, repository } = await openRun(host, options);
      show(options, await commands.restoreFiles(repository), ({ files, saved, next }) =>
        [
          ...(files.length === 0 ? ['Nothing was changed.'] : files.map((path) => `restored ${path}`)),
          ...(saved === null ? [] : [`What was there is in ${saved}.`]),
          nextLine(next),
        ].join('\n'),
      );
    },
  );
}

function adoptedText({ files, documents, commits, next }: Adopted): string {
  const lines = [
    ...files.map((path) => `adopted ${path}`),
    ...documents.map((path) => `${path} counts for this run`),
    ...commits.map((commit) => `commit ${commit} is known`),
  ];
  return [...(lines.length === 0 ? ['There was nothing to adopt.'] : lines), nextLine(next)].join('\n');
}

/** Decides in the inbox where the run is attached. False where the files decide, and where no item asks. */
async function throughInbox(
  host: Host,
  options: DecisionOptions,
  commands: Opened['run'],
  repository: Opened['repository'],
  verdict: 'approve' | 'reject',
  kinds: readonly string[],
): Promise<boolean> {
  const attached = await commands.attachmentOf(repository);
  if (attached === null) return false;
  const { state } = await repository.snapshot();
  const { note, by } = options;
  if (!(await decideAttached(host, attached, state.run_id, { verdict, kinds, note, by }))) return false;
  show(options, commands.commandResult((await repository.snapshot()).state, []), resultText);
  return true;
}

type Opened = Awaited<ReturnType<typeof openRun>>;

function decisionVerb(run: Command, name: string, description: string): Command {
  return dirVerb(run, name, description)
    .option('--by <name>', 'who decides (default: you)')
    .option('--note <text>', 'why');
}

function saidBy({ by, note }: DecisionOptions) {
  return { by: by ?? operator(), ...(note !== undefined && { note }) };
}
