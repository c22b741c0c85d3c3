import { type Daemon, type Folder, freePort, startDaemon } from './daemons.ts';

export interface Balancer {
  readonly port: number;
  end(): Promise<void>;
}

const COMMON = ['  timeout connect 2s', '  timeout client 1h', '  timeout server 1h', '  timeout check 1s'];

interface Behind {
  readonly port: number;
  readonly checkedAt: number;
}

/** Leads to the one PostgreSQL whose Patroni says that it is the primary. */
export async function balancePrimary(folder: Folder, nodes: readonly Behind[]): Promise<Balancer> {
  const port = await freePort();
  const daemon = await start(folder, 'primary', [
    'defaults',
    '  mode tcp',
    ...COMMON,
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...nodes.map(
      (node, nth) => `  server node${nth} 127.0.0.1:${node.port} check port ${node.checkedAt} addr 127.0.0.1`,
    ),
  ]);
  return { port, end: () => daemon.end() };
}

/** Before servers of Baton, as docs/runbooks.md has it. */
export async function balanceServers(folder: Folder, ports: readonly number[]): Promise<Balancer> {
  const port = await freePort();
  const daemon = await start(folder, 'servers', [
    'defaults',
    '  mode http',
    ...COMMON,
    'listen servers',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /readyz',
    '  http-check send hdr Host localhost',
    '  default-server inter 500ms fall 2 rise 1',
    '  option redispatch',
    '  retries 3',
    ...ports.map((behind, nth) => `  server baton${nth} 127.0.0.1:${behind} check`),
  ]);
  return { port, end: () => daemon.end() };
}

async function start(folder: Folder, name: string, lines: readonly string[]): Promise<Daemon> {
  const config = await folder.write(`${name}.cfg`, `${lines.join('\n')}\n`);
  return startDaemon(folder, 'haproxy', ['-db', '-f', config], { name: `haproxy-${name}` });
}
