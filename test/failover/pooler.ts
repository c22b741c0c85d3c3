import { type Folder, freePort, startDaemon } from './daemons.ts';

export interface Pooler {
  readonly port: number;
  end(): Promise<void>;
}

/** pgbouncer in transaction mode, before the server at a port. */
export async function startPooler(folder: Folder, server: number): Promise<Pooler> {
  const port = await freePort();
  const users = await folder.write('users.txt', '"baton" "baton"\n');
  const config = await folder.write(
    'pgbouncer.ini',
    [
      '[databases]',
      `* = host=127.0.0.1 port=${server} user=baton password=baton`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'max_client_conn = 300',
      'default_pool_size = 40',
      'server_connect_timeout = 3',
      'server_login_retry = 1',
      'query_wait_timeout = 15',
      '',
    ].join('\n'),
  );
  const daemon = startDaemon(folder, 'pgbouncer', [config]);
  return { port, end: () => daemon.end('SIGINT') };
}
