import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStaticFiles } from './static-files.ts';

const SCRIPT = 'export const words = "again and again";\n'.repeat(100);

describe('the files of the dashboard', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'baton-files-'));
    await mkdir(join(root, 'assets'));
    await writeFile(join(root, 'index.html'), '<!doctype html>');
    await writeFile(join(root, 'assets', 'a.js'), SCRIPT);
    await writeFile(join(root, 'assets', 'a.png'), 'x'.repeat(5000));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('go out compressed to whoever takes it, and plain to everybody else', async () => {
    const files = createStaticFiles(root);
    const small = await files('/assets/a.js', 'gzip');
    expect(small?.headers.get('content-encoding')).toBe('gzip');
    expect(small?.headers.get('vary')).toBe('accept-encoding');
    expect(gunzipSync(await small!.arrayBuffer()).toString()).toBe(SCRIPT);
    expect((await files('/assets/a.js', 'gzip, br'))?.headers.get('content-encoding')).toBe('br');
    const plain = await files('/assets/a.js', undefined);
    expect([plain?.headers.get('content-encoding'), await plain?.text()]).toEqual([null, SCRIPT]);
  });

  it('are left as they are where they are compressed already, or too small', async () => {
    const files = createStaticFiles(root);
    expect((await files('/assets/a.png', 'br'))?.headers.get('content-encoding')).toBeNull();
    expect((await files('/', 'br'))?.headers.get('content-encoding')).toBeNull();
  });

  it('are new as soon as they were built again', async () => {
    const files = createStaticFiles(root);
    await files('/assets/a.js', 'gzip');
    await writeFile(join(root, 'assets', 'a.js'), `${SCRIPT}// newer`);
    const newer = await files('/assets/a.js', 'gzip');
    expect(gunzipSync(await newer!.arrayBuffer()).toString()).toContain('// newer');
  });
});
