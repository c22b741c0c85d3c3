import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { readPlain } from '../../../kernel/json/reader.ts';
import type { Principal } from '../../../spine/identity/principal.ts';
import { governanceErrors } from '../errors.ts';
import { issuesOf } from '../schema.ts';
import type { Governance } from '../slice.ts';
import { type GatewayConfig, gatewayConfigSchema } from './config.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { pinsInFile } from './pins.ts';
import { connectUpstream, type Upstream } from './upstream.ts';

async function readGatewayConfig(path: string): Promise<GatewayConfig> {
  const parsed = gatewayConfigSchema.safeParse(readPlain(await readFile(path)));
  if (parsed.success) return parsed.data;
  const [issue] = issuesOf(parsed.error);
  throw governanceErrors.atlas_load_error({
    message: `${path}: ${issue?.message} at ${issue?.pointer || 'the top'}.`,
    next: 'Correct the gateway file.',
    ...(issue && { pointer: issue.pointer }),
  });
}

/** Connects to every server of the config. The pins are kept beside it unless it names another file. */
async function openGatewayFromFile(
  path: string,
  governance: Governance,
  principal: Principal,
): Promise<Gateway> {
  const config = await readGatewayConfig(path);
  const pins = pinsInFile(resolve(dirname(path), config.pins_file ?? 'gateway.pins.json'));
  const upstreams: Upstream[] = [];
  for (const [name, server] of Object.entries(config.servers))
    upstreams.push(await connectUpstream(name, server));
  return openGateway({ config, governance, principal, pins, upstreams });
}

/** `baton gateway --config FILE`: MCP over standard input and output until the client disconnects. */
export async function serveGateway(
  path: string,
  governance: Governance,
  principal: Principal,
  onOpen: () => void,
): Promise<void> {
  const gateway = await openGatewayFromFile(path, governance, principal);
  onOpen();
  const handle = serveStdio(() => gateway.createServer());
  await new Promise<void>((done) => {
    process.stdin.once('end', done);
    process.stdin.once('close', done);
    process.once('SIGTERM', done);
  });
  await handle.close();
  await gateway.close();
}
