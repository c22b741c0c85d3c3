// Starts the bundled stdio adapter. The bundle is made by `npm run build`, which `npm ci` runs.
import { existsSync } from 'node:fs';

const bundle = new URL('../dist/conform.js', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  const message = 'dist/conform.js is missing. Run: npm run build';
  process.stdout.write(`${JSON.stringify({ status: 'error', message, actual: null })}\n`);
  process.exitCode = 2;
}
