import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Daemon, type Folder, freePort, startDaemon } from './daemons.ts';
import { Link } from './link.ts';
import { pathOf } from './programs.ts';

/** A second over the least that survives a pause of Patroni, so that a primary that is lost is replaced within 20 s. */
const DYNAMIC = {
  ttl: 9,
  loop_wait: 1,
  retry_timeout: 3,
  maximum_lag_on_failover: 1_048_576,
  synchronous_mode: true,
  // Without a standby that has it, nothing is acknowledged.
  synchronous_mode_strict: true,
  postgresql: {
    use_pg_rewind: true,
    parameters: { max_connections: 200, wal_log_hints: 'on', wal_keep_size: '256MB', fsync: 'on' },
  },
};

const IN_CHARGE = new Set(['leader', 'master', 'primary']);

/** One machine of the cluster: Patroni and its PostgreSQL, reached by links that can be cut. */
class Node {
  readonly name: string;
  readonly data: string;
  readonly links: { readonly postgres: Link; readonly rest: Link; readonly etcd: Link };
  readonly #folder: Folder;
  readonly #config: string;
  #patroni: Daemon | undefined;

  private constructor(name: string, folder: Folder, config: string, data: string, links: Node['links']) {
    this.name = name;
    this.data = data;
    this.links = links;
    this.#folder = folder;
    this.#config = config;
  }

  static async make(folder: Folder, name: string, etcd: number): Promise<Node> {
    const [postgresPort, restPort] = [await freePort(), await freePort()];
    const links = {
      postgres: await Link.to(postgresPort),
      rest: await Link.to(restPort),
      etcd: await Link.to(etcd),
    };
    const data = join(folder.path, name);
    const everyone = ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'];
    const user = (username: string) => ({ username, password: username });
    const config = await folder.write(
      `${name}.yml`,
      JSON.stringify({
        scope: 'baton',
        name,
        restapi: {
          listen: `127.0.0.1:${restPort}`,
          connect_address: `127.0.0.1:${links.rest.port}`,
        },
        // As a proxy: Patroni would otherwise go round the link, to where etcd says that it is.
        etcd3: { hosts: [`127.0.0.1:${links.etcd.port}`], use_proxies: true },
        bootstrap: {
          dcs: DYNAMIC,
          initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
        },
        postgresql: {
          listen: `127.0.0.1:${postgresPort}`,
          connect_address: `127.0.0.1:${links.postgres.port}`,
          data_dir: data,
          bin_dir: dirname(pathOf('postgres') ?? ''),
          pgpass: join(folder.path, `${name}.pgpass`),
          pg_hba: everyone,
          authentication: {
            superuser: user('postgres'),
            replication: user('replicator'),
            rewind: user('postgres'),
          },
          parameters: { unix_socket_directories: '' },
          remove_data_directory_on_rewind_failure: true,
          remove_data_directory_on_diverged_timelines: true,
        },
        watchdog: { mode: 'off' },
      }),
    );
    return new Node(name, folder, config, data, links);
  }

  start(): void {
    this.#patroni = startDaemon(this.#folder, 'patroni', [this.#config], { name: this.name });
  }

  /** All its processes at once, as a machine that loses its power, or is suspended. */
  signal(signal: NodeJS.Signals): void {
    for (const pid of this.#pids()) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended by itself meanwhile.
      }
    }
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#patroni?.end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.kill();
    for (const link of Object.values(this.links)) link.close();
  }

  cut(): void {
    for (const link of Object.values(this.links)) link.cut();
  }

  mend(): void {
    for (const link of Object.values(this.links)) link.mend();
  }

  #pids(): number[] {
    const patroni = this.#patroni?.pid ?? 0;
    let postmaster = 0;
    try {
      postmaster = Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      // PostgreSQL has not started, or has stopped.
    }
    const roots = new Set([patroni, postmaster].filter((pid) => pid > 0));
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => roots.has(parentOf(pid)));
    return [...roots, ...children];
  }
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return 0;
  }
}

const PATIENCE_MS = 120_000;

async function answering(url: string, isReady: (text: string) => boolean): Promise<void> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
    const text = await fetch(url).then(
      (answer) => answer.text(),
      () => '',
    );
    if (isReady(text)) return;
    await sleep(100);
  }
  throw new Error(`${url} is not ready.`);
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** PostgreSQL on three machines, one of which takes writes, with a synchronous standby. */
export class Cluster {
  readonly nodes: readonly Node[];
  readonly #etcd: Daemon;

  private constructor(nodes: readonly Node[], etcd: Daemon) {
    this.nodes = nodes;
    this.#etcd = etcd;
  }

  static async start(folder: Folder, size = 3): Promise<Cluster> {
    const [client, peer] = [await freePort(), await freePort()];
    const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
    const etcd = startDaemon(folder, 'etcd', [
      ...['--data-dir', join(folder.path, 'etcd')],
      ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
      ...['--initial-cluster', `default=${peerUrl}`],
    ]);
    await answering(`${clientUrl}/version`, (text) => /"etcdcluster":"\d/.test(text));
    const nodes: Node[] = [];
    for (let nth = 0; nth < size; nth += 1) nodes.push(await Node.make(folder, `node${nth}`, client));
    const cluster = new Cluster(nodes, etcd);
    for (const node of nodes) node.start();
    await cluster.whole();
    return cluster;
  }

  /** The machine that takes writes, once all say the same and all the others follow it, one of them synchronously. */
  async whole(): Promise<Node> {
    let members: readonly Member[] = [];
    for (const until = performance.now() + PATIENCE_MS; performance.now() < until; ) {
      members = await this.#members();
      const primary = members.find(({ role }) => IN_CHARGE.has(role));
      const following = members.filter(({ role, state }) => !IN_CHARGE.has(role) && isFollowing(state));
      const safe = following.some(({ role }) => role === 'sync_standby');
      const node = this.nodes.find(({ name }) => name === primary?.name);
      if (node !== undefined && safe && following.length === this.nodes.length - 1) return node;
      await sleep(250);
    }
    throw new Error(`The cluster did not become whole: ${JSON.stringify(members)}`);
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.stop();
    await this.#etcd.end('SIGKILL');
  }

  async #members(): Promise<readonly Member[]> {
    for (const { links } of this.nodes) {
      try {
        const answer = await fetch(`http://127.0.0.1:${links.rest.port}/cluster`, {
          signal: AbortSignal.timeout(1_000),
        });
        return ((await answer.json()) as { members: Member[] }).members;
      } catch {
        // This machine is away; another one knows as much.
      }
    }
    return [];
  }
}

const isFollowing = (state: string) => state === 'running' || state === 'streaming';
