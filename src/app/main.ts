import { writeSync } from 'node:fs';
import module from 'node:module';
import { VERSION } from './version.ts';

// V8 keeps what it compiled for the next start, where the runtime can: Node 22.8 and later.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

const argv = process.argv.slice(2);
if (argv[0] === '--version' || argv[0] === '-V') {
  writeSync(1, `${VERSION}\n`);
} else {
  // Imported only now, so that the compile cache is on and a version costs nothing.
  import('./command-line.ts')
    .then(({ main }) => main(argv))
    .then((code) => {
      process.exitCode = code;
    });
}
