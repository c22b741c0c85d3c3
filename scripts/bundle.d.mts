import type { BuildOptions } from 'esbuild';

export const bundle: BuildOptions;
