import { createHash } from 'node:crypto';
import { trustForm } from './codex-trust.ts';
import type { ConnectionRecord, Touched } from './connection-record.ts';
import { type Editor, editorNamed } from './editors.ts';
import { type FileEdit, type Form, planUndo } from './file-edits.ts';
import { approvalForm, entryForm, excludeForm, hooksForm, instructionsForm, pluginForm } from './forms.ts';
import { PLUGIN_MARK } from './opencode-plugin.ts';
import { isTracked } from './repository.ts';

/** Plans to take away what a connection wrote into these files, the last change first. */
export async function planUndoOf(
  record: Pick<ConnectionRecord, 'name' | 'editor'>,
  files: readonly Touched[],
): Promise<FileEdit[]> {
  const editor = editorNamed(record.editor);
  return planEach(files, (touched) => formOf(editor, record.name, touched));
}

/** The same for files of a repository that are Baton's own. */
export function planUndoOfMade(files: readonly Touched[]): Promise<FileEdit[]> {
  return planEach(files, ({ digest }) => wholeForm(digest));
}

async function planEach(files: readonly Touched[], form: (touched: Touched) => Form): Promise<FileEdit[]> {
  const edits: FileEdit[] = [];
  for (const touched of [...files].reverse()) {
    if (touched.kind === 'made' && (await isCommitted(touched))) continue;
    const pending = edits.findLast((each) => each.touched.path === touched.path);
    edits.push(await planUndo(touched, form(touched), pending));
  }
  return edits;
}

/** A file that also serves another connection stays until that one goes. */
export function unshared(
  client: string,
  files: readonly Touched[],
  others: readonly ConnectionRecord[],
): Touched[] {
  return files.filter(
    (file) => !others.some((other) => other.files.some((each) => isShared(client, file, other.editor, each))),
  );
}

/** Whether two connections wrote the same thing: one client's entry, or what is there once for all clients. */
export function isShared(client: string, file: Touched, other: string, theirs: Touched): boolean {
  if (file.kind !== theirs.kind || file.path !== theirs.path) return false;
  return client === other || file.kind === 'instructions' || file.kind === 'made';
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function formOf(editor: Editor, connection: string, { kind, digest, keys = [] }: Touched): Form {
  switch (kind) {
    case 'entry':
      return entryForm(editor, connection, {});
    case 'hooks':
      return hooksForm(editor.name, { items: [] });
    case 'approval':
      return approvalForm;
    case 'plugin':
      return pluginForm(PLUGIN_MARK, '');
    case 'instructions':
      return instructionsForm;
    case 'exclude':
      return excludeForm(editor.name, []);
    case 'trust':
      return trustForm(keys.map((key) => ({ key, hash: '' })));
    case 'made':
      return wholeForm(digest);
  }
}

/** A file that we made and nobody changed since. */
function wholeForm(digest: string | undefined): Form {
  return {
    put: (text) => text,
    take: (text) => (digestOf(text) === digest ? '' : text),
    isEmpty: (text) => text === '',
  };
}

/** What is in the repository's history belongs to it. */
async function isCommitted({ path, repository }: Touched): Promise<boolean> {
  return repository !== undefined && (await isTracked({ root: repository }, path));
}
