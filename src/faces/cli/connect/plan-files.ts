import { lstat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Touched } from './connection-record.ts';
import type { Editor } from './editors.ts';
import { withoutExcluded } from './exclude.ts';
import { type FileEdit, type Form, planEdit, type Target } from './file-edits.ts';
import { approvalForm, entryForm, excludeForm, hooksForm, instructionsForm, pluginForm } from './forms.ts';
import { hookEntries } from './hook-entries.ts';
import { hookWords, type Launch } from './launch.ts';
import { opencodePlugin, PLUGIN_MARK } from './opencode-plugin.ts';
import type { Places } from './places.ts';
import { excludeFile, isIgnored, isInside, isTracked, type Repository } from './repository.ts';
import { refuseWayOut } from './repository-paths.ts';
import { readText } from './text-file.ts';

export interface WantedFiles {
  readonly editor: Editor;
  readonly connection: string;
  readonly places: Places;
  /** The repository that is being bound; without one, the folder gets the tools alone. */
  readonly repository: Repository | undefined;
  readonly launch: Launch;
  readonly members: Readonly<Record<string, unknown>>;
  readonly hooks: boolean;
  readonly strict: boolean;
  /** A team's server has the tools. */
  readonly elsewhere: boolean;
  readonly instructions: boolean;
  /** Into the files that a team shares. */
  readonly team: boolean;
  /** Into the user's own files. */
  readonly global: boolean;
  /** Seconds for which a question to a person is held. */
  readonly wait: number;
}

/** Everything that is to be written for a connection, in the order in which it is to be written. */
export async function planFiles(wanted: WantedFiles, known: readonly Touched[]): Promise<FileEdit[]> {
  const { editor, places, repository } = wanted;
  const folder = repository?.root ?? places.project;
  const edits: FileEdit[] = [];
  const add = async (kind: Touched['kind'], path: string, form: Form) => {
    const inFolder = kind === 'exclude' || isInside(folder, path);
    const target: Target = { path, kind, ...(inFolder && { repository: folder }) };
    if (repository && isInside(folder, path)) await refuseWayOut(repository, path);
    const before = known.find((each) => each.kind === kind && each.path === path);
    const pending = edits.findLast(({ touched }) => touched.path === path);
    edits.push(await planEdit(target, form, before, pending));
  };

  const tools = await toolsFile(wanted);
  await add('entry', tools, entryForm(editor, wanted.connection, wanted.members));
  const hooks = wanted.hooks ? await hooksFile(wanted) : undefined;
  if (hooks !== undefined) await add(...hookEdit(wanted, hooks));
  if (
    editor.name === 'claude-code' &&
    repository &&
    !wanted.team &&
    isInside(folder, tools) &&
    hooks !== undefined
  ) {
    await add('approval', hooks, approvalForm);
  }
  if (wanted.instructions) await add('instructions', join(folder, editor.instructionsFile), instructionsForm);
  const exclude = repository && !wanted.team ? await excludeFile(repository) : undefined;
  if (repository && exclude !== undefined) {
    const written = edits.filter(({ touched }) => touched.kind !== 'instructions');
    const paths = await unseenByGit(repository, editor.name, exclude, written);
    if (paths.length > 0) await add('exclude', exclude, excludeForm(editor.name, paths));
  }
  return edits;
}

function hookEdit(wanted: WantedFiles, path: string): [Touched['kind'], string, Form] {
  const { editor, launch, wait, team, strict, elsewhere } = wanted;
  const overMcp = !team && !elsewhere;
  const entries = hookEntries(editor.name, launch, { wait, optional: team, strict, overMcp });
  if (entries) return ['hooks', path, hooksForm(editor.name, entries)];
  const content = opencodePlugin(hookWords(launch, editor.name), {
    asked: Math.max(60, wait + 15),
    other: 30,
  });
  return ['plugin', path, pluginForm(PLUGIN_MARK, content)];
}

/** A file that git has in its index is everybody's: without `--team`, ours go into the user's own file then. */
async function toolsFile({ editor, places, repository, team, global }: WantedFiles): Promise<string> {
  const own = global || (repository && editor.distrusts && !team);
  if (own || editor.projectFiles === undefined) return editor.userFile(places);
  const folder = repository?.root ?? places.project;
  const paths = editor.projectFiles.map((file) => join(folder, file));
  const present = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  const path =
    paths[
      Math.max(
        0,
        present.findIndex((found) => found !== undefined),
      )
    ]!;
  const theirs = repository && !team && (await isTracked(repository, path));
  return theirs ? editor.userFile(places) : path;
}

/** Outside a repository nothing says which project a hook belongs to. */
async function hooksFile({
  editor,
  places,
  repository,
  team,
  global,
}: WantedFiles): Promise<string | undefined> {
  if (!editor.hooks || !repository) return undefined;
  const file = team ? editor.hooks.team : editor.hooks.local;
  if (global || file === undefined) return editor.hooks.userFile(places);
  const path = join(repository.root, file);
  const theirs = !team && (await isTracked(repository, path));
  return theirs ? editor.hooks.userFile(places) : path;
}

/** The files of a repository that git would show as new. */
async function unseenByGit(
  repository: Repository,
  client: string,
  exclude: string,
  edits: readonly FileEdit[],
): Promise<string[]> {
  const excluded = (await readText(exclude)) ?? '';
  // What we excluded ourselves has to stay excluded.
  const byUs = withoutExcluded(excluded, client) !== excluded;
  const unseen: string[] = [];
  for (const path of new Set(edits.map(({ touched }) => touched.path))) {
    if (!isInside(repository.root, path) || (!byUs && (await isIgnored(repository, path)))) continue;
    unseen.push(relative(repository.root, path));
  }
  return unseen;
}
