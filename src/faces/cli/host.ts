import type { LostKeys } from '../../app/lost-keys.ts';
import type { MovedStore, MoveProgress } from '../../app/migrate-store.ts';
import type { Settings } from '../../app/settings.ts';
import type { Rendered } from '../../spine/dispatch/dispatch.ts';
import type { CallableOperation } from '../../spine/operations/flat-input.ts';
import type { StreamItem } from '../../spine/operations/handler.ts';
import type { CommandOperation } from './command-operation.ts';

/** How a verb reaches Baton: over HTTP to a running server, or straight on the embedded store. */
export interface Connection {
  /** `http://…`, or `embedded`. */
  readonly where: string;
  call(operation: CallableOperation, flat: Readonly<Record<string, unknown>>): Promise<Rendered>;
  stream(
    operation: CallableOperation,
    flat: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): AsyncIterable<StreamItem>;
  close(): Promise<void>;
}

export interface RunningServer {
  readonly url: string;
  readonly stopped: Promise<void>;
  stop(): Promise<void>;
}

/** Options for running a relay alone: settings by their environment names, and additional peers. */
export interface RelayOptions {
  readonly named: Readonly<Record<string, string>>;
  readonly peers: Readonly<Record<string, string>>;
}

/** How the gateway of a file is run: over standard input and output unless something else is said. */
export interface GatewayServing {
  readonly config: string;
  /** Only loads its Atlas, with the tools as they are now. */
  readonly load?: boolean;
  /** Over HTTP. */
  readonly port?: number;
}

/** What the command line needs from the rest of the product; provided by `main.ts`. */
export interface Host {
  readonly settings: Settings;
  readonly version: string;
  readonly operations: readonly CommandOperation[];
  connect(settings: Settings): Promise<Connection>;
  /** `quiet`: without the greeting. */
  serve(settings: Settings, options?: { readonly quiet?: boolean }): Promise<RunningServer>;
  serveRelay(settings: Settings, given: RelayOptions): Promise<RunningServer>;
  /** The tools over standard input and output: of the store here, or of the server that the settings name. */
  serveMcp(settings: Settings): Promise<void>;
  /** An MCP server without tools, which says why it has none. */
  serveNoTools(reason: string): Promise<void>;
  serveGateway(settings: Settings, serving: GatewayServing): Promise<void>;
  /** Replaces a person's passphrase and passkeys, straight on the store of this machine, with no credential. */
  resetPresence(
    settings: Settings,
    actorId: string,
    passphrase: string,
  ): Promise<{ readonly passkeysRemoved: number; readonly loginsEnded: number }>;
  /** Returns the path of the new owner key. Needs write access to the data directory, but no credential. */
  renewOwner(settings: Settings): Promise<string>;
  /** Goes on without keys that are lost, on record. Returns the public key that signs from now on. */
  rekeyJournal(settings: Settings, lost: LostKeys): Promise<string>;
  /** All rows of a table of another tool's SQLite file. */
  readForeignTable(file: string, table: string): Promise<readonly unknown[]>;
  /** Moves the whole store into an empty database. */
  migrateStore(settings: Settings, to: string, progress: MoveProgress): Promise<MovedStore>;
  backup(settings: Settings, file: string, progress: (done: number, total: number) => void): Promise<void>;
}

/** Exit codes that scripts can rely on. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  connection: 3,
  auth: 4,
  denied: 5,
  integrity: 6,
} as const;
