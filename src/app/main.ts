import { writeSync } from 'node:fs';
import module from 'node:module';
import { VERSION } from './version.ts';

// V8 keeps what it compiled for the next start, where the runtime can: Node 22.8 and later.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

// Whoever reads only the first lines, as `head` does, has what they wanted: no error, and nothing more to write.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const argv = process.argv.slice(2);
if (argv[0] === '--version' || argv[0] === '-V') {
  writeSync(1, `${VERSION}\n`);
} else if (argv[0] === 'hook') {
  // In the way of every tool call: nothing of the command line is loaded.
  import('./hook/run-hook.ts')
    .then(({ runHook }) => runHook(argv.slice(1), process.env))
    .then((code) => process.exit(code));
} else {
  // Imported only now, so that the compile cache is on and a version costs nothing.
  import('./command-line.ts')
    .then(({ main }) => main(argv))
    .then((code) => {
      process.exitCode = code;
    })
    .catch((error: NodeJS.ErrnoException) => {
      // Even the program's own files cannot be opened then, so its errors cannot tell of it.
      if (error.code !== 'EMFILE') throw error;
      writeSync(
        2,
        'too_few_files: This process may not open enough files.\n→ Raise the limit: `ulimit -n 1024`.\n',
      );
      process.exit(1);
    });
}
