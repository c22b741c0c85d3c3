import { existsSync } from 'node:fs';
import { type Editor, editors } from '../connect/editors.ts';
import { type Places, programAt } from '../connect/places.ts';

/** The clients that are on this machine: their program is on the path, or they have a folder of their own. */
export async function findClients(places: Places): Promise<Editor[]> {
  const found: Editor[] = [];
  for (const editor of editors) if (await isInstalled(editor, places)) found.push(editor);
  return found;
}

async function isInstalled({ programs, folders }: Editor, places: Places): Promise<boolean> {
  if (folders(places).some((folder) => existsSync(folder))) return true;
  for (const program of programs) if ((await programAt(program, places)) !== undefined) return true;
  return false;
}
