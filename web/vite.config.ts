import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { operationTable } from './operation-table.ts';

const client = (module: string) =>
  fileURLToPath(new URL(`../packages/client/src/${module}.ts`, import.meta.url));
const server = process.env.BATON_URL ?? 'http://127.0.0.1:7373';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [operationTable(), react(), tailwindcss()],
  resolve: {
    /** The client from its sources, which need no build before this one; `tsconfig.json` has the same two paths. */
    alias: { '@baton-ledger/client/verify': client('verify'), '@baton-ledger/client': client('index') },
  },
  build: {
    /** The oldest browsers with `light-dark()`, of which every colour is made. */
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    emptyOutDir: true,
  },
  server: {
    /** `changeOrigin` and the Origin header below: the server refuses requests that name another host. */
    proxy: Object.fromEntries(
      ['/v1', '/login', '/openapi.json'].map((path) => [
        path,
        { target: server, changeOrigin: true, headers: { origin: server } },
      ]),
    ),
  },
});
