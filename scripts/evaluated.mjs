/**
 * Modules whose exports are data derived from the operation table. A build evaluates them and bundles the result: what
 * it serves then loads neither the schemas nor the declarations that the data was made from.
 */
import { dirname } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

export const EVALUATED =
  /[/\\](packages[/\\]client[/\\]src[/\\]table|src[/\\]app[/\\](command-table|described-operations|mcp-tools))\.ts$/;

/** Bundles TypeScript (a file, or text with a folder to resolve from) and imports it. */
export async function evaluate(source) {
  const { outputFiles, metafile } = await build({
    ...(source.text ? { stdin: { contents: source.text, resolveDir: source.folder, loader: 'ts' } } : {}),
    ...(source.file ? { entryPoints: [source.file] } : {}),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return {
    exports: await import(`data:text/javascript;base64,${code}`),
    files: Object.keys(metafile.inputs),
  };
}

/** Large, and read by no short command: a fifth of its size in the package. */
const PACKED = /[/\\](described-operations|mcp-tools)\.ts$/;

/** `JSON.parse` of a text is read several times as fast as the same object written out. */
export async function evaluatedSource(file) {
  const { exports, files } = await evaluate({ file });
  const packed = PACKED.test(file);
  const lines = Object.entries(exports).map(([name, value]) => {
    const text = JSON.stringify(value);
    const written = packed
      ? `brotliDecompressSync(Buffer.from('${brotliCompressSync(text).toString('base64')}', 'base64')).toString()`
      : JSON.stringify(text);
    return `export const ${name} = JSON.parse(${written});\n`;
  });
  const imports = packed ? "import { brotliDecompressSync } from 'node:zlib';\n" : '';
  return { contents: imports + lines.join(''), files };
}

export const evaluated = {
  name: 'evaluated',
  setup(build) {
    build.onLoad({ filter: EVALUATED }, async ({ path }) => {
      const { contents, files } = await evaluatedSource(path);
      return { contents, loader: 'js', resolveDir: dirname(path), watchFiles: files };
    });
  },
};
