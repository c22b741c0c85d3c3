import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where this user's files are on this machine. */
export interface Places {
  readonly home: string;
  /** The folder that an editor opens. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  /** `XDG_CONFIG_HOME` or `APPDATA`, where set. */
  readonly config: string | undefined;
  /** Folders in which programs are looked for. */
  readonly path: readonly string[];
  /** `CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `GEMINI_CLI_HOME`, `OPENCODE_CONFIG_DIR`: where clients were told to keep their own. */
  readonly claudeFolder?: string | undefined;
  readonly codexFolder?: string | undefined;
  readonly geminiFolder?: string | undefined;
  readonly opencodeFolder?: string | undefined;
}

export function placesHere(project = process.cwd()): Places {
  const { PATH = '', XDG_CONFIG_HOME, APPDATA } = process.env;
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME, OPENCODE_CONFIG_DIR } = process.env;
  return {
    home: homedir(),
    project,
    platform: process.platform,
    config: (process.platform === 'win32' ? APPDATA : XDG_CONFIG_HOME) || undefined,
    path: PATH.split(delimiter).filter(Boolean),
    claudeFolder: CLAUDE_CONFIG_DIR || undefined,
    codexFolder: CODEX_HOME || undefined,
    geminiFolder: GEMINI_CLI_HOME || undefined,
    opencodeFolder: OPENCODE_CONFIG_DIR || undefined,
  };
}

/** The file that a program's name stands for; undefined where there is none. */
export async function programAt(name: string, { path, platform }: Places): Promise<string | undefined> {
  const names = platform === 'win32' ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`] : [name];
  for (const folder of path) {
    for (const each of names) {
      const found = await realpath(join(folder, each)).catch(() => undefined);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
