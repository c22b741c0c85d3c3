/** Names that rules ask for, which a glob may stand for: `cat .e*` reads `.env`. */
const NAMES = [
  '.baton',
  '.claude',
  '.claude.json',
  '.codex',
  '.cursor',
  '.env',
  '.env.local',
  '.env.production',
  '.gemini',
  '.git',
  '.mcp.json',
  '.opencode',
  '.vscode',
  'config.toml',
  'hooks.json',
  'id_ed25519',
  'id_rsa',
  'mcp.json',
  'opencode.json',
  'settings.json',
  'settings.local.json',
];

const MOST_WILDCARDS = 6;

/** The paths among them that a word may mean whose text the shell computes from `start` on. */
export function namesMeant(text: string, start: string): string[] {
  const folder = start === '.' ? '' : start;
  const at = text.search(/[*?[{]/);
  if (at < 0) return [];
  const from = text.lastIndexOf('/', at) + 1;
  const [glob = '', ...below] = text.slice(from).split('/');
  const rest = below.map((part) => `/${part}`).join('');
  // Many wildcards are slow to compare, and may mean anything.
  const many = (glob.match(/[*?[{$]/g)?.length ?? 0) > MOST_WILDCARDS;
  const pattern = many ? /^/ : patternOf(glob);
  return NAMES.filter((name) => pattern.test(name)).map((name) => `${folder}${name}${rest}`);
}

/** What is computed otherwise, in a class, braces or a variable, may be anything. */
function patternOf(glob: string): RegExp {
  const source = glob
    .replace(/\[[^\]]*\]|\{[^}]*\}|\$\w+/g, '*')
    .replace(/[.+^$()|\\[\]{}]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  // `*` does not stand for a dot at the beginning.
  return new RegExp(`^${/^[*?[{$]/.test(glob) ? '(?!\\.)' : ''}${source}$`, 's');
}
