import { storageErrors } from '../errors.ts';
import { type DatabaseOptions, lockWait } from '../options.ts';
import { pauseBriefly } from '../slots.ts';
import { isBusy } from './sqlite-error.ts';

/** Tries again for as long as others hold the file, without blocking the process. */
export async function whileBusy<T>(options: DatabaseOptions, attempt: () => T): Promise<T> {
  const deadline = performance.now() + lockWait(options);
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) throw storageErrors.storage_locked({ cause: error });
    }
    await pauseBriefly();
  }
}
