import { isDoc, isText } from '../../../document.ts';
import type { Draft, Repair } from './normalize.ts';

export const repairFiles: Repair = (draft, _context, note) => {
  if (draft.files_changed === undefined && Array.isArray(draft.files_modified)) {
    draft.files_changed = draft.files_modified;
    delete draft.files_modified;
    note('files_modified was read as files_changed.');
  }
  for (const key of ['files_changed', 'artifacts_created']) pathsFromObjects(draft, key, note);
};

function pathsFromObjects(draft: Draft, key: string, note: (what: string) => void): void {
  const list = draft[key];
  if (!Array.isArray(list) || !list.some((item) => isDoc(item) && isText(item.path))) return;
  draft[key] = list.map((item) => (isDoc(item) && isText(item.path) ? item.path : item));
  note(`${key} held objects; their paths were taken.`);
}
