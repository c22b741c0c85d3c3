import { putBatonOn, runBatonIn } from './baton.ts';
import { type Machine, openMachine } from './machine.ts';
import { claudeCode } from './programs/claude-code.ts';
import { codex } from './programs/codex.ts';
import { gemini } from './programs/gemini.ts';
import { opencode } from './programs/opencode.ts';
import type { ClientProgram } from './programs/program.ts';

/** The clients take minutes and hundreds of megabytes: only `npm run prove -- clients` runs them. */
export const proving = process.env.BATON_PROVE === '1';

const ALL: readonly ClientProgram[] = [claudeCode, codex, gemini, opencode];
/** `BATON_CLIENTS=codex,gemini` runs some of them only. */
const chosen = process.env.BATON_CLIENTS?.split(',');
export const clients = ALL.filter(({ name }) => chosen === undefined || chosen.includes(name));

export interface Place {
  readonly machine: Machine;
  /** Where the client is installed, or undefined when it could not be: then its tests are skipped, and say why. */
  readonly folder: string | undefined;
  readonly missing: string;
}

/** A machine with the client on it. */
export async function installedOn(client: ClientProgram): Promise<Place> {
  const machine = await openMachine();
  const installed = await client.install();
  if ('missing' in installed) return { machine, folder: undefined, missing: installed.missing };
  await client.putOn(installed.folder, machine);
  return { machine, folder: installed.folder, missing: '' };
}

/** The same, with Baton set up in a repository as the README says. */
export async function initialisedOn(client: ClientProgram): Promise<Place & { readonly repository: string }> {
  const place = await installedOn(client);
  const repository = await place.machine.repository('shop');
  await putBatonOn(place.machine);
  const { code, stdout, stderr } = await runBatonIn(place.machine, repository, 'init', '--yes');
  if (code !== 0 || !stdout.includes('hooks')) throw new Error(`baton init: ${stderr || stdout}`);
  return { ...place, repository };
}
