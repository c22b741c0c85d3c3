import type { Command } from 'commander';
import pc from 'picocolors';
import { isInteractive, requirePerson } from '../agent-session.ts';
import { requireBound } from '../connect/bound-here.ts';
import { connectClient } from '../connect/connect-client.ts';
import type { PinnedRules } from '../connect/connection-record.ts';
import { editorNamed } from '../connect/editors.ts';
import { withConnectionsLock } from '../connect/lock.ts';
import { onThisMachine } from '../connect/open-connection.ts';
import { cliErrors } from '../errors.ts';
import type { Connection, Host } from '../host.ts';
import { pinRules } from '../init/init-repository.ts';
import { loggedDecisions, pastText } from '../init/recorded-past.ts';
import { type GuardMode, loadRules, type Rules, readRules } from '../init/rules.ts';
import { ask } from '../operation.ts';
import { print } from '../output.ts';

interface GuardOptions {
  readonly yes?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

interface Here {
  /** Of the person who decides, where something is decided. */
  readonly host: Host;
  readonly to: Connection;
  readonly project: string;
  readonly repository: { readonly root: string };
  readonly rules: Rules;
}

/** Whether the repository's rules are enforced. The store holds the rules that count; the files are a proposal. */
export function addGuardCommand(program: Command, host: Host): void {
  const guard = program
    .command('guard')
    .description('Show whether this repository’s rules are enforced, and what they denied or would have.')
    .option('--json', 'print JSON')
    .action((options: GuardOptions) =>
      inRepository(host, async ({ to, project, rules }) => {
        const { loaded, file } = rules;
        const past = await loggedDecisions(to, host, project);
        const changed = loaded?.digest !== file.digest;
        const state = { project, rules: loaded ?? null, files_differ: changed, would_have: past.length };
        print(state, options.json, () => stateText(rules, pastText(past)));
      }),
    );
  guard
    .command('on')
    .description('Enforce the rules, after showing what they would have denied and asked about.')
    .option('--yes', 'ask nothing')
    .option('--strict', 'also stop calls whose hook cannot run at all, in clients that can be told so')
    .action((options: GuardOptions) =>
      asPersonInRepository(host, async (here) => {
        requireLoaded(here.rules);
        process.stdout.write(`${pastText(await loggedDecisions(here.to, here.host, here.project))}\n`);
        await agreed(options, 'Enforce the rules from now on?');
        await switchTo(here, 'enforce');
        await setStrict(here, options.strict ?? false);
        process.stdout.write(
          `${pc.green('✔')} The rules are enforced. What they ask about waits in \`baton inbox\`; \`baton guard off\` only records again.\n`,
        );
      }),
    );
  guard
    .command('off')
    .description('Only record what the rules would deny and ask about.')
    .action(() =>
      asPersonInRepository(host, async (here) => {
        requireLoaded(here.rules);
        await switchTo(here, 'log_only');
        await setStrict(here, false);
        process.stdout.write(`${pc.green('✔')} The rules only record: nothing is denied or asked about.\n`);
      }),
    );
  guard
    .command('update')
    .description('Load the rules as .baton/atlas has them now, after showing what changes.')
    .option('--yes', 'ask nothing')
    .action((options: GuardOptions) =>
      asPersonInRepository(host, async (here) => {
        const { loaded, file } = here.rules;
        if (loaded?.digest === file.digest) {
          process.stdout.write(`.baton/atlas is what is loaded: ${loaded.id} ${loaded.version}.\n`);
          return;
        }
        process.stdout.write(`${await changesText(here)}\n`);
        await agreed(options, 'Load these rules?');
        const { mode = 'log_only' } = loaded ?? {};
        const now = await load(here, mode);
        process.stdout.write(`${pc.green('✔')} Loaded ${now.id} ${now.version}, ${words(mode)}.\n`);
      }),
    );
}

async function inRepository(host: Host, work: (here: Here) => Promise<void>): Promise<void> {
  const { root, project } = await requireBound(host);
  const repository = { root };
  await onThisMachine(host, async (to) =>
    work({ host, to, project, repository, rules: await readRules(to, host, repository, project) }),
  );
}

async function asPersonInRepository(host: Host, work: (here: Here) => Promise<void>): Promise<void> {
  await inRepository(await requirePerson(host), work);
}

/** In one step, so that there is no moment without rules. */
async function switchTo(here: Here, mode: GuardMode): Promise<void> {
  if (here.rules.loaded?.mode !== mode) await load(here, mode);
}

/** Writes the entries of this repository's clients again where the choice changes them. */
async function setStrict({ host, to, repository, project }: Here, strict: boolean): Promise<void> {
  const { records } = await requireBound(host);
  const changed = records.filter(
    ({ hooks, url }) => (hooks?.strict ?? false) !== strict && url === undefined,
  );
  await withConnectionsLock(host.settings.dataDir, async () => {
    for (const { editor } of changed) {
      await connectClient(to, host, { editor: editorNamed(editor), project, repository, strict });
    }
  });
}

async function load({ host, to, project, repository }: Here, mode: GuardMode): Promise<PinnedRules> {
  const loaded = await loadRules(to, host, { repository, project, mode });
  await withConnectionsLock(host.settings.dataDir, () => pinRules(host.settings.dataDir, project, loaded));
  return loaded;
}

/** A mode is switched for the rules that are loaded, which a person has seen; not for whatever the files say now. */
function requireLoaded({ loaded, file }: Rules): void {
  if (loaded?.digest === file.digest) return;
  throw cliErrors.bad_arguments({
    message: loaded
      ? `.baton/atlas (${file.manifest.version}) is not what is loaded (${loaded.version}).`
      : 'No rules of this repository are loaded.',
    next: 'See what changes and load it with `baton guard update`, or restore the files.',
  });
}

async function agreed({ yes }: GuardOptions, message: string): Promise<void> {
  if (yes) return;
  if (!isInteractive()) {
    throw cliErrors.bad_arguments({
      message: 'Nobody is at a terminal to confirm this.',
      next: 'Run it in a terminal, or pass `--yes`.',
    });
  }
  const { confirm, isCancel } = await import('@clack/prompts');
  const answer = await confirm({ message });
  if (isCancel(answer) || !answer)
    throw cliErrors.bad_arguments({ message: 'Nothing was changed.', next: 'Run it again when you agree.' });
}

async function changesText({ host, to, project, rules: { loaded, file } }: Here): Promise<string> {
  if (!loaded) return `New: ${file.manifest.atlas_id} ${file.manifest.version}`;
  const [{ diffAtlases }, { checkManifest }, { parseManifest }, { nodeHasher }, { diffText }] =
    await Promise.all([
      import('../../../slices/governance/atlases/analysis/atlas-diff.ts'),
      import('../../../slices/governance/atlases/check.ts'),
      import('../../../slices/governance/atlases/rules/parse.ts'),
      import('../../../platform/node-hasher.ts'),
      import('./atlas-text.ts'),
    ]);
  const manifest: unknown = await ask(to, host, 'atlas.get', { atlas_id: loaded.id, project });
  const { atlas } = checkManifest(parseManifest(manifest, 'lenient'), nodeHasher);
  return atlas ? diffText(diffAtlases(atlas, file)) : `${loaded.version} → ${file.manifest.version}`;
}

function stateText({ loaded, file }: Rules, past: string): string {
  const state = loaded ? `${loaded.id} ${loaded.version}: ${words(loaded.mode)}` : 'No rules are loaded';
  const differs =
    loaded && loaded.digest !== file.digest
      ? [
          `${pc.yellow('!')} .baton/atlas has other rules (${file.manifest.version}): \`baton guard update\` shows and loads them.`,
        ]
      : [];
  return [pc.bold(state), ...differs, past].join('\n');
}

function words(mode: GuardMode): string {
  return mode === 'enforce' ? 'enforced' : 'only recorded';
}
