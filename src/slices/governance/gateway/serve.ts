import { readFile } from 'node:fs/promises';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { readPlain } from '../../../kernel/json/reader.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { governanceErrors } from '../errors.ts';
import { issuesOf } from '../schema.ts';
import { type GatewayConfig, gatewayConfigSchema } from './config.ts';
import type { Gateway } from './gateway.ts';
import type { Wire } from './rpc.ts';

export async function readGatewayConfig(path: string): Promise<GatewayConfig> {
  const parsed = gatewayConfigSchema.safeParse(readPlain(await readFile(path)));
  if (parsed.success) return parsed.data;
  const [issue] = issuesOf(parsed.error);
  throw governanceErrors.atlas_load_error({
    message: `${path}: ${issue?.message} at ${issue?.pointer || 'the top'}.`,
    next: 'Correct the gateway file.',
    ...(issue && { pointer: issue.pointer }),
  });
}

/** MCP over standard input and output, until the client disconnects or the process is told to end. */
export async function serveGatewayOverStdio(
  gateway: Gateway,
  principal: Principal,
  stopped: Promise<void>,
): Promise<void> {
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve, reject) => {
    gateway.connect(transport as Wire, principal, resolve).catch(reject);
  });
  await Promise.race([ended, stopped]);
}
