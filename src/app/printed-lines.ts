import { format } from 'node:util';
import type { Log } from './log.ts';

/**
 * The log is one JSON object a line, for programs to read. What a library or the runtime prints to standard error becomes
 * a line of it. Returns the way back.
 */
export function logWhatIsPrinted(log: Log): () => void {
  const { error, warn, info } = console;
  const printed = process.listeners('warning');
  const warned = (warning: Error) => log.warn({ printed: warning.message, name: warning.name }, 'warning');
  console.error = (...words) => log.error({ printed: format(...words) }, 'printed by a library');
  console.warn = (...words) => log.warn({ printed: format(...words) }, 'printed by a library');
  console.info = (...words) => log.info({ printed: format(...words) }, 'printed by a library');
  process.removeAllListeners('warning');
  process.on('warning', warned);
  return () => {
    Object.assign(console, { error, warn, info });
    process.off('warning', warned);
    for (const listener of printed) process.on('warning', listener);
  };
}
