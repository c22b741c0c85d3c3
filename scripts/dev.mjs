/** Rebuilds and restarts the server whenever a source file changes, on a data directory of its own. */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const data = process.env.BATON_DATA ?? join(tmpdir(), 'baton-dev');
const children = [
  spawn(process.execPath, ['scripts/build.mjs', '--watch'], { stdio: 'inherit' }),
  spawn(process.execPath, ['--watch-path=dist', 'dist/baton.js', 'up'], {
    stdio: 'inherit',
    env: { ...process.env, BATON_DATA: data },
  }),
  spawn('npm', ['run', 'dev', '--workspace', 'web'], { stdio: 'inherit' }),
];
const stop = () => {
  for (const child of children) child.kill();
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
