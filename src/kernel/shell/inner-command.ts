/** Programs that run another program that their arguments name. */
import { member } from '../json/loose.ts';

/** Options of a wrapper that take the next word as their value. Others stand alone, or carry it after `=`. */
interface Wrapper {
  readonly valued: readonly string[];
  /** Words of its own between the options and the command, as the duration of `timeout`. */
  readonly own?: number;
  /** It may be followed by `NAME=value`. */
  readonly assigns?: boolean;
  /** It adds words that nobody knows yet. */
  readonly adds?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: ['-u', '-g', '-C', '-p', '-h', '-r', '-t', '-U', '-D', '-R', '-T', '--user', '--group'],
    assigns: true,
  },
  pkexec: { valued: ['--user'] },
  chroot: { valued: [], own: 1 },
  doas: { valued: ['-u', '-C', '-a'] },
  env: { valued: ['-u', '--unset', '-C', '--chdir'], assigns: true },
  nohup: { valued: [] },
  setsid: { valued: [] },
  time: { valued: ['-f', '-o', '--format', '--output'] },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '-n', '-p', '--class', '--classdata'] },
  timeout: { valued: ['-s', '-k', '--signal', '--kill-after'], own: 1 },
  stdbuf: { valued: ['-i', '-o', '-e'] },
  command: { valued: [] },
  builtin: { valued: [] },
  exec: { valued: ['-a'] },
  noglob: { valued: [] },
  nocorrect: { valued: [] },
  '-': { valued: [] },
  chronic: { valued: [] },
  caffeinate: { valued: ['-t', '-w'] },
  busybox: { valued: [] },
  xargs: {
    valued: ['-I', '-i', '-n', '-P', '-L', '-l', '-d', '-a', '-s', '-E', '-e', '--replace', '--max-args'],
    adds: true,
  },
  flock: { valued: ['-w', '-E', '--timeout', '--conflict-exit-code'], own: 1 },
  strace: { valued: ['-e', '-o', '-s', '-p', '-P', '-a', '-I', '-E', '-u'] },
  ltrace: { valued: ['-e', '-o', '-s', '-p', '-a', '-n', '-u', '-x'] },
  unshare: { valued: ['-S', '-G', '-R', '-w'] },
  taskset: { valued: [], own: 1 },
  chrt: { valued: ['-T', '-P', '-D'], own: 1 },
  setpriv: { valued: [] },
  'systemd-run': { valued: ['-p', '-u', '-E', '-M', '-H', '--unit', '--property'] },
  'xvfb-run': { valued: ['-n', '-s', '-e', '-f', '-w', '-p'] },
  unbuffer: { valued: [] },
  rlwrap: { valued: ['-a', '-b', '-C', '-D', '-f', '-H', '-l', '-P', '-s', '-S'] },
  gosu: { valued: [], own: 1 },
  'su-exec': { valued: [], own: 1 },
  tini: { valued: ['-p', '-e'] },
  'dumb-init': { valued: ['-r', '--rewrite'] },
  fakeroot: { valued: ['-l', '-s', '-i', '-b', '--lib', '--faked'] },
  torsocks: { valued: ['-u', '-p', '-a', '-P', '--user', '--pass', '--address', '--port'] },
  proxychains: { valued: ['-f'] },
  proxychains4: { valued: ['-f'] },
  firejail: { valued: [] },
  nsenter: { valued: ['-t', '-S', '-G', '--target', '--setuid', '--setgid'] },
  prlimit: { valued: ['-p', '-o', '--pid', '--output'] },
  numactl: { valued: ['-C', '-m', '-N', '-i', '-p', '-P', '-w'] },
  'dbus-run-session': { valued: ['--config-file', '--dbus-daemon'] },
  'ssh-agent': { valued: ['-a', '-t', '-P', '-E', '-O'] },
  valgrind: { valued: [] },
  'cross-env': { valued: [], assigns: true },
  npx: { valued: ['-p', '--package'] },
  bunx: { valued: ['-p', '--package'] },
  pnpx: { valued: ['-p', '--package'] },
  uvx: { valued: ['-p', '--python', '--from', '--with', '--index'] },
};

/** `npm exec X` and the like, by program and subcommand. */
const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  uv: ['run'],
  poetry: ['run'],
  pipenv: ['run'],
  pipx: ['run'],
  pdm: ['run'],
  hatch: ['run'],
  conda: ['run'],
  mamba: ['run'],
  mise: ['exec', 'x'],
  asdf: ['exec'],
  pyenv: ['exec'],
  rbenv: ['exec'],
  bundle: ['exec'],
};

export interface Inner {
  /** Where the inner command begins; undefined if there is none. */
  readonly from: number | undefined;
  readonly adds: boolean;
  /** True if an option makes it unclear what runs. */
  readonly unclear: boolean;
}

/** Where in the words of a command another one begins. */
export function innerCommand(program: string, argv: readonly string[]): Inner | undefined {
  const runner = member(RUNNERS, program);
  if (runner !== undefined) {
    const at = argv.findIndex((word, index) => index > 0 && !word.startsWith('-'));
    if (at < 0 || !runner.includes(argv[at] as string)) return undefined;
    return inner({ valued: ['-p', '--package', '--with', '--extra', '-n', '--name'] }, argv, at + 1);
  }
  const wrapper = member(WRAPPERS, program);
  if (wrapper === undefined) return undefined;
  // These only look a name up.
  if (program === 'command' && /^-[vV]/.test(argv[1] ?? '')) return undefined;
  return inner(wrapper, argv, 1);
}

/** Options whose value is a line for a shell. */
const LINES = new Set(['-S', '--split-string', '-c', '--call', '--shell-auto-fallback']);

function inner(wrapper: Wrapper, argv: readonly string[], start: number): Inner {
  const { adds = false } = wrapper;
  let own = wrapper.own ?? 0;
  let at = start;
  for (; at < argv.length; at++) {
    const word = argv[at] as string;
    if (word === '--') {
      at += 1;
      if (own > 0) at += own;
      break;
    }
    if (LINES.has(word) && !wrapper.valued.includes(word)) return { from: undefined, adds, unclear: true };
    if (wrapper.valued.includes(word)) at += 1;
    else if (word.startsWith('-') && word.length > 1) continue;
    else if (wrapper.assigns && /^[A-Za-z_]\w*=/.test(word)) continue;
    else if (own > 0) own -= 1;
    else break;
  }
  return { from: at < argv.length ? at : undefined, adds, unclear: false };
}
