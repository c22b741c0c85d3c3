/** `baton atlas init`: a folder that can be tested and loaded as it is, and says what to change first. */
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { governanceErrors } from '../../errors.ts';
import { authoringSchema } from '../authoring-schema.ts';
import { formatManifest } from '../rules/format-manifest.ts';
import { TEMPLATES, type Template } from './templates.ts';

export interface InitedAtlas {
  readonly directory: string;
  readonly template: string;
  readonly atlas_id: string;
  readonly files: readonly string[];
}

/** Writes into a new or empty place only: somebody's rules are never overwritten. */
export async function initAtlas(directory: string, template: string, atlasId: string): Promise<InitedAtlas> {
  const chosen = TEMPLATES[template] as Template;
  if (await stat(join(directory, 'atlas.json')).catch(() => undefined)) {
    throw governanceErrors.atlas_load_error({
      message: `${directory} has an atlas.json already.`,
      next: 'Name another folder.',
    });
  }
  const files: Readonly<Record<string, unknown>> = {
    'atlas.json': { ...chosen.manifest, atlas_id: atlasId },
    'tests/rules.cases.json': { cases: chosen.cases },
    'atlas-authoring.schema.json': authoringSchema(),
    ...chosen.context,
  };
  for (const [path, content] of Object.entries(files)) {
    const at = join(directory, path);
    await mkdir(dirname(at), { recursive: true });
    await writeFile(at, typeof content === 'string' ? content : formatManifest(content), { flag: 'wx' });
  }
  return { directory, template, atlas_id: atlasId, files: Object.keys(files) };
}
