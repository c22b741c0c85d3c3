import type { Installed } from '../install.ts';
import type { Machine } from '../machine.ts';
import type { Wire } from '../model/scripted-model.ts';

export type ClientName = 'claude-code' | 'codex' | 'gemini' | 'opencode';

/** What the hook of a fact's test is: a program with arguments, which a client starts for each of its events. */
export interface OwnHook {
  readonly program: string;
  readonly args: readonly string[];
  readonly timeoutSeconds: number;
}

export interface Start {
  readonly prompt: string;
  readonly modelUrl: string;
  readonly repository: string;
  /** Goes on with the newest session of this folder. */
  readonly resume?: boolean;
  /** Runs hooks that nobody has reviewed, where the client asks for that. */
  readonly unreviewed?: boolean;
}

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** One coding agent: how it is installed, kept on loopback and started without a person. */
export interface ClientProgram {
  readonly name: ClientName;
  readonly wire: Wire;
  /** A size of context that makes this client compact before its next request. */
  readonly fullContext: number;
  install(): Promise<Installed>;
  /** Puts a hook of the test's own on all events that the client has. */
  hook(machine: Machine, repository: string, hook: OwnHook): Promise<void>;
  /** Makes the machine look as if the person had installed and used the client: its program, folder and settings. */
  putOn(folder: string, machine: Machine): Promise<void>;
  launch(folder: string, machine: Machine, start: Start): Launch;
}
