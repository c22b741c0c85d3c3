import { posix, win32 } from 'node:path';
import type { Zone } from './actions.ts';
import { REMOVED } from './private-words.ts';

/** A file of commands, or a script of package.json, that the client's command names. */
export interface Script {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly changed_at: number;
}

/** Where the client works, as the hook saw it. */
export interface Place {
  /** The folder that relative paths are relative to. */
  readonly cwd: string;
  /** The repository: the folder with `.baton/project.json`. */
  readonly root: string;
  readonly home: string;
  /** Baton's data folder. */
  readonly data: string;
  readonly temporary: string;
  readonly platform: string;
  /** Where paths really lead, by the path as the client wrote it; symbolic links are followed. */
  readonly real?: Readonly<Record<string, string>> | undefined;
  /** Scripts that a command line names, by that name; `npm:NAME` for one of package.json. */
  readonly scripts?: Readonly<Record<string, Script>> | undefined;
}

/** With those scripts alone that were changed since: who works there since then wrote them. */
export function withScriptsSince(place: Place, micros: number): Place {
  const { scripts = {}, ...rest } = place;
  const changed = Object.entries(scripts).filter(([, script]) => script.changed_at * 1_000 >= micros);
  return { ...rest, scripts: Object.fromEntries(changed) };
}

export interface PlacedPath {
  readonly path: string;
  readonly inside: boolean;
  readonly zone: Zone;
}

/**
 * A path of a tool or a command, seen from the repository. Names are compared without case: a rule must not miss one.
 * Whoever `replaces` a folder replaces the rules in it.
 */
export function placePath(text: string, place: Place, base = place.cwd, replaces = false): PlacedPath {
  if (text.includes(REMOVED)) return nowhere(text);
  const paths = place.platform === 'win32' ? win32 : posix;
  const windows = place.platform === 'win32';
  const known = place.real && Object.hasOwn(place.real, text) ? place.real[text] : undefined;
  const full = trimmed(paths.resolve(base, known ?? fromHome(text, place.home)), windows);
  const root = trimmed(paths.resolve(place.root), windows);
  const relative = within(paths, root, full);
  const inside = relative !== undefined;
  const slashed = (inside ? relative : full).replaceAll(windows ? '\\' : '/', '/');
  const shown = inside && slashed === '' ? '.' : slashed;
  const holdsRules = replaces && within(paths, full, root) !== undefined;
  const zone = holdsRules ? 'rules' : zoneOf(paths, full, place, inside ? slashed : undefined);
  return { path: shown, inside, zone };
}

/** A path that nobody can tell from its text. */
export function nowhere(text: string): PlacedPath {
  return { path: text, inside: false, zone: 'outside' };
}

type Paths = typeof posix | typeof win32;

function zoneOf(paths: Paths, full: string, place: Place, relative: string | undefined): Zone {
  const slashed = full.replaceAll('\\', '/').toLowerCase();
  if (within(paths, paths.resolve(place.data).toLowerCase(), full.toLowerCase()) !== undefined) return 'data';
  const lower = relative?.toLowerCase();
  if (lower !== undefined && /^\.baton(?:\/|$)/.test(lower)) return 'rules';
  if (SETTINGS.some((pattern) => pattern.test(slashed))) return 'settings';
  if (isSecret(slashed)) return 'secrets';
  if (lower !== undefined) return /^\.git(?:\/|$)/.test(lower) ? 'git' : 'repository';
  const temporary = [place.temporary, '/tmp', '/var/tmp', '/private/tmp'];
  if (temporary.some((folder) => within(paths, paths.resolve(folder), full) !== undefined))
    return 'temporary';
  return 'outside';
}

/** Files in which a coding agent's hooks, permissions and MCP servers are set, wherever they are. */
const SETTINGS = [
  /\/\.claude\/settings(?:\.[\w-]+)*\.json$/,
  /\/\.claude(?:\/(?:hooks|plugins)(?:\/.*)?)?$/,
  /\/\.claude\.json$/,
  /\/\.mcp\.json$/,
  /\/\.codex(?:\/(?:config\.toml|hooks\.json|auth\.json|(?:hooks|rules)(?:\/.*)?))?$/,
  /\/\.gemini(?:\/(?:settings\.json|trustedfolders\.json|(?:extensions|hooks)(?:\/.*)?))?$/,
  /\/\.cursor(?:\/(?:hooks\.json|mcp\.json|cli\.json|cli-config\.json|hooks(?:\/.*)?))?$/,
  /\/opencode\.jsonc?$/,
  /\/\.opencode(?:\/(?:plugins?|tools?)(?:\/.*)?)?$/,
  /\/\.config\/opencode(?:\/.*)?$/,
  /\/\.vscode\/mcp\.json$/,
];

const SECRET_FOLDERS = /\/(?:\.ssh|\.aws|\.gnupg|\.kube|\.azure|\.config\/gcloud|\.password-store)(?:\/|$)/;
const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|.*\.pem|.*\.p12|.*\.pfx|id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|_netrc|\.pypirc|\.git-credentials|\.pgpass|\.htpasswd|credentials\.json|service-account.*\.json)$/;
const HARMLESS = /^(?:\.env\.(?:example|sample|template|dist|defaults)|.*\.pub)$/;

function isSecret(slashed: string): boolean {
  const name = slashed.slice(slashed.lastIndexOf('/') + 1);
  if (HARMLESS.test(name)) return false;
  return SECRET_NAMES.test(name) || SECRET_FOLDERS.test(slashed) || /\/\.docker\/config\.json$/.test(slashed);
}

/** The path from a folder to what is in it, '' for itself; undefined if it is elsewhere. */
function within(paths: Paths, folder: string, full: string): string | undefined {
  const [from, to] = paths === win32 ? [folder.toLowerCase(), full.toLowerCase()] : [folder, full];
  const relative = paths.relative(from, to);
  if (relative === '') return '';
  if (relative === '..' || relative.startsWith(`..${paths.sep}`) || paths.isAbsolute(relative))
    return undefined;
  return full.slice(full.length - relative.length);
}

function fromHome(text: string, home: string): string {
  if (text === '~' || text === '$HOME' || text === `\${HOME}`) return home;
  return text.replace(/^(?:~|\$HOME|\$\{HOME\})(?=[\\/])/, () => home);
}

/** Windows ignores dots and spaces at the end of a name, and streams name the same file. */
function trimmed(full: string, windows: boolean): string {
  if (!windows) return full;
  const [drive = '', ...parts] = full.split('\\');
  return [drive, ...parts.map((part) => part.replace(/:.*$/, '').replace(/[. ]+$/, '') || part)].join('\\');
}
