import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** Whether a program can be started from `cwd`, found as a shell finds it. */
export async function isOnPath(program: string, path: string, cwd: string): Promise<boolean> {
  if (program === '') return false;
  const suffixes = process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : [''];
  const named = isAbsolute(program) || program.includes('/');
  const folders = named ? [cwd] : path.split(delimiter);
  for (const folder of folders)
    for (const suffix of suffixes)
      if (
        await isExecutable(named ? resolve(cwd, `${program}${suffix}`) : join(folder, `${program}${suffix}`))
      )
        return true;
  return false;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
