/**
 * Shortens the names inside what others wrote: an eighth of the installed bundle. Our own code keeps its names, so that a
 * stack trace says where it comes from.
 */
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

export const shortNames = {
  name: 'short-names',
  setup(build) {
    build.onLoad({ filter: /[/\\]node_modules[/\\].*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        target: 'node20',
        minify: true,
        legalComments: 'none',
      });
      return { contents: code, loader: 'js' };
    });
  },
};
