import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** Whether a program can be started from `cwd`, found as a shell finds it. */
export async function isOnPath(program: string, path: string, cwd: string): Promise<boolean> {
  return (await findOnPath(program, path, cwd)) !== undefined;
}

export async function findOnPath(program: string, path: string, cwd: string): Promise<string | undefined> {
  if (program === '') return undefined;
  const suffixes = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  const named = isAbsolute(program) || program.includes('/');
  const folders = named ? [cwd] : path.split(delimiter);
  for (const folder of folders)
    for (const suffix of suffixes) {
      const file = named ? resolve(cwd, `${program}${suffix}`) : join(folder, `${program}${suffix}`);
      if (await isExecutable(file)) return file;
    }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
