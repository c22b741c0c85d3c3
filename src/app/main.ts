import { runCli } from '../faces/cli/program.ts';
import { createHost } from './host.ts';
import { readSettings } from './settings.ts';

process.exitCode = await runCli(process.argv.slice(2), createHost(readSettings(process.env)));
