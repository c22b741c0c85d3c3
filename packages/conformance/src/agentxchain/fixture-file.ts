import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isNonBlank, isRecord, type LooseRecord } from '../../../../src/kernel/json/loose.ts';
import { parseDocument } from '../../../../src/slices/delivery/parse.ts';
import { conformanceErrors } from './errors.ts';

export interface FixtureFile {
  readonly path: string;
  readonly fixture_id: string;
  readonly tier: number;
  readonly surface: string;
  readonly document: LooseRecord;
}

export interface Selection {
  readonly tier: number;
  readonly surface?: string | undefined;
}

/** Every fixture in a directory up to a tier, ordered by path. Throws on the first malformed file. */
export async function loadFixtures(root: string, selection: Selection): Promise<readonly FixtureFile[]> {
  let names: string[];
  try {
    names = await readdir(root, { recursive: true });
  } catch (cause) {
    throw conformanceErrors.fixtures_missing({ message: `No fixtures at ${root}.`, cause });
  }
  const files: FixtureFile[] = [];
  for (const name of names.filter((entry) => entry.endsWith('.json')).sort()) {
    const fixture = await loadFixture(root, join(root, name));
    if (fixture.tier > selection.tier) continue;
    if (selection.surface !== undefined && fixture.surface !== selection.surface) continue;
    files.push(fixture);
  }
  return files;
}

async function loadFixture(root: string, path: string): Promise<FixtureFile> {
  const named = relative(root, path);
  let document: unknown;
  try {
    document = parseDocument(await readFile(path));
  } catch (cause) {
    throw conformanceErrors.fixture_malformed({ message: `${named} is not JSON.`, cause });
  }
  const fault = faultOf(document);
  if (fault !== undefined) throw conformanceErrors.fixture_malformed({ message: `${named}: ${fault}` });
  const { fixture_id, tier, surface } = document as LooseRecord & FixtureFile;
  return { path: named, fixture_id, tier, surface, document: document as LooseRecord };
}

function faultOf(document: unknown): string | undefined {
  if (!isRecord(document)) return 'it is not an object.';
  if (!isNonBlank(document.fixture_id)) return 'fixture_id is missing.';
  if (document.tier !== 1 && document.tier !== 2 && document.tier !== 3) return 'tier is not 1, 2 or 3.';
  if (!isNonBlank(document.surface)) return 'surface is missing.';
  if (!isRecord(document.input) || !isNonBlank(document.input.operation))
    return 'input.operation is missing.';
  return isRecord(document.expected) ? undefined : 'expected is missing.';
}
