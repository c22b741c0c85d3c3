import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ed25519 } from '../../../../platform/ed25519.ts';
import { actionOf, manifestOf } from '../../testing/manifest.ts';
import {
  analyzeAtlas,
  atlasInfo,
  atlasToLoad,
  diffAtlasPaths,
  emitAtlas,
  lintAtlas,
  validateAtlas,
} from './inspect.ts';
import { checkLock, lockAtlas } from './lock.ts';
import { packAtlas, signAtlas, verifyAtlas } from './package.ts';
import { testAtlas } from './test-atlas.ts';

async function folder(files: Readonly<Record<string, unknown>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'baton-atlas-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return root;
}

const whole = {
  'atlas.json': manifestOf({
    context_packs: [{ pack_id: 'intro', name: 'Intro', files: ['context/intro.md'] }],
    policies: [{ policy_id: 'all', type: 'allow' }],
  }),
  'context/intro.md': '# Intro',
  'actions/b.json': [actionOf('b.get')],
  'actions/a.json': actionOf('a.drop', { risk_tier: 'high' }),
  'policies/no.json': { policy_id: 'no', type: 'deny', actions: ['a.drop'] },
  'adapters/openai.json': { strict: true },
  'tests/x.cases.json': {
    cases: [
      { name: 'get', action_id: 'b.get', expect: 'allow' },
      { name: 'drop', action_id: 'a.drop', expect: 'deny', policy_id: 'no' },
    ],
  },
};

describe('an Atlas in a directory', () => {
  it('is read with its parts and files, and told about', async () => {
    const root = await folder(whole);
    expect(await atlasInfo(root)).toMatchObject({
      reference: 'atlas://com.example.test@1.0.0',
      actions: ['a.drop', 'b.get'],
      policies: ['all', 'no'],
      files: ['context/intro.md'],
    });
    expect(await lintAtlas(root)).toMatchObject({ loadable: true });
    expect(await validateAtlas(root)).toEqual({ valid: true, findings: [] });
    expect((await atlasToLoad(root)).metadata).toEqual({ context_files: { 'context/intro.md': '# Intro' } });
    expect((await emitAtlas('openai', root)).tools[0]).toMatchObject({
      function: { name: 'a_drop', strict: true },
    });
    expect((await analyzeAtlas(root)).findings.map(({ kind }) => kind)).toEqual(['unrunnable']);
    expect(await testAtlas(root, 1)).toMatchObject({ passed: true, covered: 1 });
  });

  it('tells what is wrong with it', async () => {
    const root = await folder({ ...whole, 'actions/c.json': actionOf('a.drop') });
    expect((await lintAtlas(root)).findings).toContainEqual(
      expect.objectContaining({ code: 'duplicate_action' }),
    );
    await expect(lintAtlas(await folder({}))).rejects.toMatchObject({ code: 'atlas_load_error' });
    await expect(lintAtlas(await folder({ 'atlas.json': '{"a":1,"a":2}' }))).rejects.toMatchObject({
      code: 'atlas_load_error',
    });
  });

  it('may not reach outside, neither by path nor by link, nor hold a file of more than 1 MiB', async () => {
    const secret = await folder({ 'secret.md': 'secret' });
    const root = await folder({ 'atlas.json': whole['atlas.json'] });
    await mkdir(join(root, 'context'));
    await symlink(join(secret, 'secret.md'), join(root, 'context/intro.md'));
    await expect(lintAtlas(root)).rejects.toMatchObject({ code: 'atlas_load_error' });
    const large = await folder({ ...whole, 'context/intro.md': 'x'.repeat(1024 * 1024 + 1) });
    await expect(lintAtlas(large)).rejects.toMatchObject({ code: 'atlas_load_error' });
    const climbing = await folder({
      'atlas.json': manifestOf({ context_packs: [{ pack_id: 'p', name: 'p', files: ['../x'] }] }),
    });
    expect(await lintAtlas(climbing)).toMatchObject({
      loadable: false,
      findings: expect.arrayContaining([expect.objectContaining({ code: 'path_escape' })]),
    });
  });

  it('is compared with another version', async () => {
    const after = {
      ...whole,
      'atlas.json': { ...(whole['atlas.json'] as object), version: '1.0.1' },
      'actions/c.json': actionOf('c.new'),
    };
    const diff = await diffAtlasPaths(await folder(whole), await folder(after));
    expect(diff).toMatchObject({
      required_bump: 'minor',
      version_ok: false,
      changes: [{ kind: 'added', id: 'c.new' }],
    });
  });
});

describe('a package', () => {
  it('has the same bytes for the same content, and is known to be whole and by whom it was signed', async () => {
    const out = await folder({});
    const first = await packAtlas(await folder(whole), join(out, 'one.atlas'));
    const second = await packAtlas(await folder(whole), join(out, 'two.atlas'));
    expect(await readFile(first.path)).toEqual(await readFile(second.path));
    const { seed } = ed25519.generate();
    const { public_key: key } = await signAtlas(first.path, seed);
    expect(await verifyAtlas(first.path, key)).toMatchObject({
      valid: true,
      signed_by: key,
      atlas_id: 'com.example.test',
    });
    expect(await verifyAtlas(second.path, key)).toMatchObject({
      valid: false,
      problems: ['the package is not signed'],
    });
    const bytes = await readFile(first.path);
    const at = bytes.indexOf('# Intro');
    bytes[at] = 'X'.charCodeAt(0);
    await writeFile(first.path, bytes);
    const broken = await verifyAtlas(first.path);
    expect(broken.problems).toEqual([
      'context/intro.md is not what was packed',
      'the signature does not fit the package',
    ]);
  });
});

describe('a lock', () => {
  it('holds versions and contents, and notices when one changes', async () => {
    const dependency = await folder({ 'atlas.json': manifestOf({ atlas_id: 'com.example.base' }) });
    const root = await folder({
      'atlas.json': manifestOf({ dependencies: { 'com.example.base': '^1.0.0' } }),
    });
    expect(await lockAtlas(root, [dependency])).toMatchObject([
      { atlasId: 'com.example.base', version: '1.0.0' },
    ]);
    expect(await checkLock(root, [dependency])).toEqual([]);
    const changed = await folder({
      'atlas.json': manifestOf({ atlas_id: 'com.example.base', name: 'Other' }),
    });
    expect(await checkLock(root, [changed])).toHaveLength(1);
    await expect(lockAtlas(root, [])).rejects.toMatchObject({ code: 'atlas_dependency_missing' });
  });
});
