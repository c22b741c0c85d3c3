import { type McpOverStdioDeps, serveMcpOverStdio } from '../faces/mcp/stdio.ts';
import type { App } from './compose.ts';
import { toolLists } from './mcp-tools.ts';
import type { Settings } from './settings.ts';
import { VERSION } from './version.ts';

/** An agent that has asked for nothing yet will: the store is opened meanwhile, so that its faults are told. */
const OPEN_AFTER_MS = 300;

/**
 * MCP over standard input and output, for an agent that starts us: on the same store as the server, in peace. Agents start
 * many servers and first ask each for its tools: those come from the build, before the product is loaded.
 */
export async function serveMcp(settings: Settings): Promise<void> {
  let app: App | undefined;
  let opening: ReturnType<McpOverStdioDeps['open']> | undefined;
  let fail: (error: unknown) => void;
  const ended = new Promise<void>((resolve, reject) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.once('SIGTERM', resolve);
    fail = reject;
  });

  async function openProduct() {
    const [
      { openApp },
      { createProcessLog },
      { anchorNotice },
      { filesBeside },
      { ownerKeyLost, tokenOf },
      { hookOverMcp },
    ] = await Promise.all([
      import('./compose.ts'),
      import('./log.ts'),
      import('./anchor-notice.ts'),
      import('./files-beside.ts'),
      import('./owner-token.ts'),
      import('./hook/over-mcp.ts'),
    ]);
    const product = await openApp(settings, { log: createProcessLog(settings.logLevel) });
    app = product;
    if (settings.token === undefined && product.ownerKey.state === 'lost')
      throw ownerKeyLost(product.ownerKey.path);
    const token = tokenOf(settings) ?? '';
    const now = () => product.identity.authenticate({ authorization: `Bearer ${token}` });
    return {
      services: {
        ...product.mcp,
        annotate: anchorNotice(product, process.cwd()),
        readFiles: filesBeside(product, process.cwd()),
      },
      caller: { principal: await now(), now },
      hook: (message: Readonly<Record<string, unknown>>) => hookOverMcp(product, settings.dataDir, message),
    };
  }
  const open = () => {
    if (!opening) {
      opening = openProduct();
      opening.catch(fail);
    }
    return opening;
  };

  const handle = serveMcpOverStdio({ version: VERSION, list: toolLists[settings.mcpTools], open });
  const soon = setTimeout(open, OPEN_AFTER_MS);
  try {
    await ended;
    await opening;
    await handle.close();
    await app?.drain();
  } finally {
    clearTimeout(soon);
    await handle.close();
    await app?.close();
  }
}
