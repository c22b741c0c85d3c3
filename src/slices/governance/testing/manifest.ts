/** Small Atlases for tests. */
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { type Atlas, atlasOf } from '../atlases/rules/atlas.ts';
import type { Action, AtlasManifest, Policy } from '../atlases/schema.ts';
import { compilePolicies, type PolicySet } from '../policies/rules/compile.ts';

export function manifestOf(parts: Partial<AtlasManifest> = {}): AtlasManifest {
  return {
    atlas_version: '1.0',
    atlas_id: 'com.example.test',
    version: '1.0.0',
    name: 'Test',
    description: 'An Atlas for tests',
    ...parts,
  };
}

export function actionOf(actionId: string, parts: Partial<Action> = {}): Action {
  return { action_id: actionId, name: actionId, description: `Does ${actionId}`, ...parts };
}

export function testAtlas(
  parts: Partial<AtlasManifest> = {},
  files: Readonly<Record<string, string>> = {},
): Atlas {
  return atlasOf(nodeHasher, { manifest: manifestOf(parts), files: new Map(Object.entries(files)) });
}

export function setOf(policies: readonly Policy[], actions: readonly (string | Action)[]): PolicySet {
  const list = actions.map((each) => (typeof each === 'string' ? actionOf(each) : each));
  return compilePolicies([{ atlas: testAtlas({ policies: [...policies], actions: list }), mode: 'enforce' }]);
}
