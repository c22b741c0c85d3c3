import { createHost } from './app/host.ts';
import { runCli } from './cli/program.ts';
import { readSettings } from './settings.ts';

process.exitCode = await runCli(process.argv.slice(2), createHost(readSettings(process.env)));
