import { spawn, spawnSync } from 'node:child_process';
import { describe } from 'vitest';
import { batonBinary } from './cli.ts';

/** Python has what Node has not: a pseudo-terminal. It types each answer when the text before it has appeared. */
const TYPIST = `
import fcntl, json, os, pty, select, signal, struct, sys, termios, time
steps, command = json.loads(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 50, 200, 0, 0))
    os.execv(command[0], command)
shown, at, end = '', 0, time.time() + 60
while time.time() < end:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece.decode('utf8', 'replace')
    if steps and steps[0][0] in shown[at:]:
        at = len(shown)
        time.sleep(0.05)
        os.write(fd, steps.pop(0)[1].encode())
else:
    os.kill(pid, signal.SIGKILL)
status = os.waitpid(pid, 0)[1]
sys.stdout.write(shown)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 99)
`;

export interface Shown {
  readonly code: number | null;
  /** What the terminal showed, without colours and cursor movements. */
  readonly screen: string;
}

/** A command as a person runs it: `[what is awaited, what is typed then]`. */
export async function runInTerminal(
  args: readonly string[],
  steps: readonly (readonly [string, string])[],
  env: Record<string, string>,
  cwd?: string,
): Promise<Shown> {
  const command = [process.execPath, await batonBinary(), ...args];
  const child = spawn('python3', ['-c', TYPIST, JSON.stringify(steps), ...command], {
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm', NO_COLOR: '1', ...env },
    cwd,
  });
  let screen = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
    });
  }
  child.stdin.end();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return { code, screen: screen.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, '') };
}

/** Where there is no python3 the suite is skipped and says so, unless it is required. */
export function describeInTerminal(name: string, suite: () => void): void {
  const found = spawnSync('python3', ['-c', 'import pty']).status === 0;
  const required = (process.env.BATON_TEST_REQUIRE ?? '').split(',').includes('python3');
  if (!found && required) throw new Error(`python3 is required: ${name}`);
  if (!found) console.warn(`skipped: ${name}: there is no python3`);
  describe.skipIf(!found)(name, suite);
}
