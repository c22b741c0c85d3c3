/** `baton trace impact`: what a new version of an Atlas would have decided differently. */
import type { Command } from 'commander';
import pc from 'picocolors';
import { inline } from '../../../kernel/quoted.ts';
import { type Impact, SKIPPED } from '../../../slices/governance/impact/schema.ts';
import { cliErrors } from '../errors.ts';
import { type JsonOption, printFound } from '../file-verb.ts';
import { EXIT, type Host } from '../host.ts';
import { ask, withConnection } from '../operation.ts';
import { forPeople } from '../output.ts';

interface ImpactOptions extends JsonOption {
  readonly new: string;
  readonly since?: string;
  readonly until?: string;
  readonly project?: string;
  readonly guardrail?: boolean;
  readonly limit?: string;
  readonly inputs?: string[];
  readonly atlas?: string[];
}

export function addImpactCommand(trace: Command, host: Host): void {
  trace
    .command('impact')
    .description(
      'List recorded decisions that a new version of an Atlas would change. Exits with 1 if anything would, or could not be compared.',
    )
    .argument('[session-id]', 'one session (default: all sessions of the project)')
    .requiredOption('--new <path>', 'the new version')
    .option('--since <when>', 'from when on: 7d, 12h, a day, or an instant')
    .option('--until <when>', 'until when')
    .option('--project <id>', 'the project (default: that of the credential)')
    .option('--guardrail', 'as if its rules applied to every request of the project')
    .option('--limit <number>', 'how many changes to list (default: 100)')
    .option('--inputs <files...>', 'files instead of a server: what was recorded, one JSON object per line')
    .option('--atlas <paths...>', 'with --inputs: the Atlases that decided')
    .option('--json', 'print JSON')
    .action(async (sessionId: string | undefined, options: ImpactOptions) => {
      const { verdictText } = await import('./atlas-text.ts');
      const onFiles = options.inputs !== undefined || options.atlas !== undefined;
      const impact = onFiles ? impactOnFiles(options) : impactOnServer(host, sessionId, options);
      const found = await printFound(impact, options, (each) => impactText(each, verdictText));
      const { changed_count, skipped, decisions } = found;
      if (changed_count > 0 || skipped > 0 || decisions === 0) process.exitCode = EXIT.error;
    });
}

async function impactOnFiles({ inputs, atlas, new: next }: ImpactOptions): Promise<Impact> {
  if (inputs === undefined || atlas === undefined) {
    throw cliErrors.bad_arguments({
      message: 'There is nothing to compare with.',
      next: 'Pass both --inputs and --atlas, or neither to ask the server.',
    });
  }
  const { impactOfAtlas } = await import('../../../slices/governance/traces/files.ts');
  return impactOfAtlas(inputs, atlas, next);
}

async function impactOnServer(
  host: Host,
  sessionId: string | undefined,
  { new: next, since, until, project, guardrail, limit }: ImpactOptions,
): Promise<Impact> {
  const { atlasToLoad } = await import('../../../slices/governance/atlases/files/inspect.ts');
  const manifest = await atlasToLoad(next);
  return withConnection(host, (connection) =>
    ask(connection, host, 'atlas.impact', {
      manifest,
      ...(sessionId !== undefined && { session_id: sessionId }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(project !== undefined && { project }),
      ...(guardrail !== undefined && { guardrail }),
      ...(limit !== undefined && { limit: Number(limit) }),
    }),
  );
}

type VerdictText = (verdict: Impact['changed'][number]['before']) => string;

function impactText(impact: Impact, verdictText: VerdictText): string {
  const { calls, requests, sessions, changed, changed_count: count, unconcerned, skips } = impact;
  const compared = `${calls} calls and ${requests} resolutions of ${sessions} sessions`;
  const hidden = count - changed.length;
  return [
    `${headline(impact)}: ${compared}`,
    ...impact.summary.map((line) => `  ${summaryLine(line)}`),
    ...(changed.length > 0 ? [''] : []),
    ...changed.map((each) => {
      const shown = each.parameters === undefined ? '' : ` ${inline(JSON.stringify(each.parameters))}`;
      const how = each.kind === 'call' ? '' : pc.dim(' (offered)');
      return `  ${pc.dim(forPeople(each.decided_at))} ${forPeople(each.action_id)} for ${forPeople(each.agent_id)}: ${verdictText(each.before)} → ${verdictText(each.after)}${shown}${how}`;
    }),
    ...(hidden > 0 ? [pc.dim(`  … and ${hidden} more; --limit lists more`)] : []),
    ...(unconcerned > 0
      ? [
          pc.dim(
            `${unconcerned} more were decided without ${forPeople(impact.atlas_id)}, and stay as they are`,
          ),
        ]
      : []),
    ...skips.map(({ reason, count: skipped }) => pc.red(`${skipped} not compared: ${SKIPPED[reason]}`)),
  ].join('\n');
}

function headline({ changed_count: count, decisions, skipped, atlas_id }: Impact): string {
  if (decisions === 0) return pc.yellow(`Nothing to compare: ${forPeople(atlas_id)} decided nothing of this`);
  if (count > 0) return pc.yellow(`${count} would change`);
  return skipped > 0 ? pc.yellow('Nothing changes in what could be compared') : pc.green('Nothing changes');
}

function summaryLine({ action_id, before, after, calls, offers }: Impact['summary'][number]): string {
  const parts = [...(calls > 0 ? [`${calls} calls`] : []), ...(offers > 0 ? [`${offers} offers`] : [])];
  return `${forPeople(action_id)}: ${before} → ${after}, ${parts.join(' and ')}`;
}
