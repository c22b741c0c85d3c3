/** Programs whose first word says what they do, and their own options before it that take a value. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  git: ['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env'],
  gh: ['-R', '--repo'],
  glab: ['-R', '--repo'],
  npm: ['--prefix', '-C', '-w', '--workspace', '--registry'],
  pnpm: ['-C', '--dir', '--filter', '-F'],
  yarn: ['--cwd'],
  bun: ['--cwd'],
  deno: [],
  cargo: ['-C', '--config', '-Z', '--color'],
  go: ['-C'],
  pip: [],
  pip3: [],
  uv: ['--directory', '--project'],
  poetry: ['-C', '-P'],
  gem: [],
  twine: [],
  docker: ['-H', '--host', '-c', '--context', '--config', '-l', '--log-level'],
  podman: ['--connection', '-c', '--url'],
  kubectl: ['-n', '--namespace', '--context', '--kubeconfig', '--cluster', '--user', '-s', '--server'],
  helm: ['-n', '--namespace', '--kube-context', '--kubeconfig'],
  terraform: [],
  tofu: [],
  pulumi: ['-C', '--cwd', '-s', '--stack'],
  aws: ['--profile', '--region', '--output', '--endpoint-url'],
  gcloud: ['--project', '--account', '--configuration'],
  az: [],
  heroku: [],
  vercel: [],
  netlify: [],
  fly: [],
  flyctl: [],
  firebase: [],
  wrangler: [],
  supabase: [],
  brew: [],
  apt: ['-o', '-c', '-t'],
  'apt-get': ['-o', '-c', '-t'],
  systemctl: ['-t', '--type', '-H', '-M'],
  baton: ['--data'],
  claude: [],
  codex: [],
  gemini: [],
  opencode: [],
  'cursor-agent': [],
  cursor: [],
};

/** The place of the subcommand; -1 for a program that has none, the number of words if it was left out. */
export function subcommandAt(program: string, argv: readonly string[]): number {
  const valued = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (valued === undefined) return -1;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] as string;
    if (valued.includes(word)) at += 1;
    else if (!word.startsWith('-')) break;
  }
  return Math.min(at, argv.length);
}

/** `-rf` is `-r` and `-f`, and stays as it is written too: some programs have long options with one dash. */
export function flagsOf(argv: readonly string[]): string[] {
  const flags = new Set<string>();
  for (const word of argv.slice(1)) {
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') continue;
    const [name = word] = word.split('=', 1);
    flags.add(name);
    if (/^-[A-Za-z]{2,}$/.test(name)) for (const letter of name.slice(1)) flags.add(`-${letter}`);
  }
  return [...flags];
}
