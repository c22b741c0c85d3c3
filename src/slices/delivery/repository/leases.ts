import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isRecord } from '../../../kernel/json/loose.ts';
import { deliveryErrors } from '../errors.ts';
import { tryParse } from '../parse.ts';
import { ifMissing, replaceWhole, writeAtomically } from './files.ts';
import type { Keep } from './keep.ts';
import { fileSafe } from './paths.ts';
import { isRunning, mayHave, type ProcessId, processId } from './processes.ts';

/** Who works on a turn that has been handed out, and where. */
export interface Lease {
  readonly turn_id: string;
  readonly attempt: number;
  /** Grows with each holder: what an earlier one still does no longer counts. */
  readonly fence: number;
  /** The orchestrator that waits for the agent; null while nobody does. */
  readonly holder: ProcessId | null;
  /** The agent, once it has been started. */
  readonly agent: ProcessId | null;
  /** The digest of the sealed manifest. */
  readonly manifest: string;
  readonly work: WorkPlace;
}

/** Where a turn works: in a tree of its own, or in the repository itself, and why. */
export type WorkPlace =
  | {
      readonly kind: 'tree';
      readonly path: string;
      /** The commit that the tree was made from, and what the branch was at then. */
      readonly base: string;
      readonly head: string;
      /** From the top of the tree to the governed folder: empty, or ending in a slash. */
      readonly prefix: string;
    }
  | { readonly kind: 'in_place'; readonly why: string };

const LEASE = 'lease.json';
const SUPERSEDED = 'superseded';
const LOOKS = 40;
const LOOK_MS = 25;

/** Fences of leases that are held in this process. */
const heldHere = new Set<string>();

export function turnFolder(keep: Keep, turnId: string): string {
  return join(keep.turns, fileSafe(turnId));
}

const fileOf = (keep: Keep, turnId: string) => join(turnFolder(keep, turnId), LEASE);
const keyOf = (keep: Keep, { turn_id, fence }: Lease) => `${keep.dir}/${turn_id}#${fence}`;

export async function readLease(keep: Keep, turnId: string): Promise<Lease | undefined> {
  const bytes = await readFile(fileOf(keep, turnId)).catch(ifMissing(undefined));
  const read = bytes === undefined ? undefined : tryParse(bytes);
  return isRecord(read) ? (read as unknown as Lease) : undefined;
}

export async function readLeases(keep: Keep): Promise<readonly Lease[]> {
  const names = await readdir(keep.turns).catch(ifMissing([] as string[]));
  const leases = await Promise.all(names.map((name) => readLease(keep, name)));
  return leases.filter((lease) => lease !== undefined);
}

/** Under the repository's lock, like everything that writes a lease. */
export async function writeLease(keep: Keep, lease: Lease): Promise<void> {
  await writeAtomically(fileOf(keep, lease.turn_id), JSON.stringify(lease));
}

/** Writes the lease of a turn that this process hands out and will wait for. */
export async function writeTaken(keep: Keep, lease: Lease): Promise<Lease> {
  const mine = { ...lease, holder: await processId(process.pid) };
  await writeLease(keep, mine);
  heldHere.add(keyOf(keep, mine));
  return mine;
}

/** Who holds it now. After a power failure nobody does any more, whatever the file says. */
async function writeHolder(keep: Keep, lease: Lease): Promise<void> {
  await replaceWhole(fileOf(keep, lease.turn_id), JSON.stringify(lease));
}

export async function dropLease(keep: Keep, turnId: string): Promise<void> {
  await rm(turnFolder(keep, turnId), { recursive: true, force: true });
}

/** Takes away what an earlier attempt left, but not its lease: who holds the turn next counts on from its fence. */
export async function emptyTurnFolder(keep: Keep, turnId: string): Promise<void> {
  const folder = turnFolder(keep, turnId);
  const names = await readdir(folder).catch(ifMissing([] as string[]));
  const old = names.filter((name) => name !== LEASE);
  await Promise.all(old.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/** Whether an orchestrator that is still there, other than the caller, waits for this turn's agent. */
export async function isHeld(keep: Keep, lease: Lease): Promise<boolean> {
  const { holder } = lease;
  if (holder === null) return false;
  if (holder.pid === process.pid && (await isRunning(holder))) return heldHere.has(keyOf(keep, lease));
  return isRunning(holder);
}

export async function hasLiveAgent({ agent }: Lease): Promise<boolean> {
  return agent !== null && (await isRunning(agent));
}

/**
 * Takes the lease of a turn for this process, or refuses while somebody else has it. An agent that an orchestrator started
 * and was killed before it could say so is found by its claim; one that has not claimed by now never will.
 */
export async function takeLease(keep: Keep, lease: Lease): Promise<Lease> {
  if (await isHeld(keep, lease)) throw leased(lease);
  const agent = lease.agent ?? (await claimant(keep, lease));
  const mine = { ...lease, agent, fence: lease.fence + 1, holder: await processId(process.pid) };
  await writeHolder(keep, mine);
  heldHere.add(keyOf(keep, mine));
  return mine;
}

/** The file that an agent makes before it begins: whoever makes it first, the agent or its successor, prevents the other. */
export function claimFile(keep: Keep, { turn_id, fence }: Pick<Lease, 'turn_id' | 'fence'>): string {
  return join(keep.dir, 'claims', `${fileSafe(turn_id)}-${fence}`);
}

async function claimant(keep: Keep, lease: Lease): Promise<ProcessId | null> {
  if (lease.fence === 0) return null;
  const file = claimFile(keep, lease);
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(file, SUPERSEDED, { flag: 'wx' });
    return null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  let said = '';
  // Between making the file and writing into it there is a moment.
  for (let look = 0; look < LOOKS && said === ''; look += 1) {
    if (look > 0) await pause(LOOK_MS);
    said = (await readFile(file, 'utf8')).trim();
  }
  const pid = Number(said);
  const its = `AGENTXCHAIN_TURN_ID=${lease.turn_id}`;
  return Number.isInteger(pid) && pid > 0 && (await mayHave(pid, its)) ? processId(pid) : null;
}

export async function releaseLease(keep: Keep, mine: Lease): Promise<void> {
  heldHere.delete(keyOf(keep, mine));
  const now = await readLease(keep, mine.turn_id);
  if (now?.fence === mine.fence) await writeHolder(keep, { ...now, holder: null });
}

/** Refuses what somebody wants to do to a turn while another orchestrator waits for its agent. */
export async function requireFree(keep: Keep, turnId: string, mine?: Lease): Promise<void> {
  const lease = await readLease(keep, turnId);
  if (lease === undefined) {
    if (mine !== undefined) throw leased(mine);
    return;
  }
  const busy =
    mine === undefined
      ? (await isHeld(keep, lease)) || (await hasLiveAgent(lease))
      : lease.fence !== mine.fence;
  if (busy) throw leased(lease);
}

function leased({ turn_id, holder }: Lease) {
  return deliveryErrors.turn_leased({
    message: `Process ${holder?.pid ?? 'unknown'} is waiting for the agent of turn ${turn_id}.`,
    details: { turn_id, pid: holder?.pid ?? null },
  });
}
