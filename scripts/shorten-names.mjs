/**
 * Shortens the names inside what others wrote: a ninth of the installed bundle. Our own code keeps its names, so that a
 * stack trace says where it comes from.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';

const isOthers = ({ inputs }) =>
  Object.entries(inputs).every(
    ([path, { bytesInOutput }]) => bytesInOutput === 0 || path.includes('node_modules/'),
  );

/** @param {Record<string, { bytes: number, inputs: Record<string, { bytesInOutput: number }> }>} outputs */
export async function shortenNames(root, outputs) {
  const others = Object.entries(outputs).filter(([file, output]) => file.endsWith('.js') && isOthers(output));
  await Promise.all(
    others.map(async ([file]) => {
      const path = join(root, file);
      const { code } = await transform(await readFile(path, 'utf8'), {
        format: 'esm',
        target: 'node20',
        minify: true,
        legalComments: 'none',
      });
      await writeFile(path, code);
      await rm(`${path}.map`, { force: true });
    }),
  );
}
