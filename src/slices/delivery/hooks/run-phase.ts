import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import type { Hook } from '../config/config.ts';
import { regularFile } from '../repository/keep.ts';
import { callHttpHook, callProcessHook } from './call.ts';
import {
  type AuditEntry,
  auditHook,
  type PhaseVerdict,
  PROTECTED_FILES,
  phaseVerdict,
  skippedEntry,
  stopsPhase,
  tamperCode,
} from './rules.ts';

export interface HookPhase {
  readonly root: string;
  readonly phase: string;
  readonly hooks: readonly Hook[];
  readonly runId: string | null;
  readonly turnId: string | null;
  readonly payload: LooseRecord;
  /** More files that these hooks must not change, besides the usual three. */
  readonly alsoProtected?: readonly string[] | undefined;
  readonly clock: Clock;
}

/** Runs a phase's hooks one after another. The first one that blocks or tampers ends the phase. */
export async function runHookPhase(run: HookPhase): Promise<PhaseVerdict> {
  const entries: AuditEntry[] = [];
  for (const [index, hook] of run.hooks.entries()) {
    const entry = await runOne(run, hook);
    entries.push(entry);
    if (!stopsPhase(entry)) continue;
    // Tampering ends the phase at once: later hooks are not even recorded as skipped.
    if (entry.orchestrator_action !== 'aborted_tamper') {
      entries.push(...run.hooks.slice(index + 1).map((later) => skippedEntry(later, contextOf(run))));
    }
    break;
  }
  return phaseVerdict(entries);
}

async function runOne(run: HookPhase, hook: Hook): Promise<AuditEntry> {
  const guarded = await guard(run.root, [...Object.keys(PROTECTED_FILES), ...(run.alsoProtected ?? [])]);
  const started = run.clock.now();
  const call = { ...run, hook, now: started };
  const seen = await (hook.type === 'http' ? callHttpHook(call) : callProcessHook(call));
  const durationMs = Math.round((run.clock.now() - started) / 1000);
  const tampered = await restoreTampered(run.root, guarded);
  // A tampering hook that also timed out is recorded as tampering.
  const observation = { ...seen, timedOut: tampered.length === 0 && seen.timedOut, durationMs, tampered };
  return auditHook(hook, observation, contextOf(run));
}

function contextOf(run: HookPhase) {
  return { phase: run.phase, runId: run.runId, turnId: run.turnId, now: run.clock.now() };
}

/** The bytes that files must keep; null for a file that must stay absent. */
type Guarded = ReadonlyMap<string, Uint8Array | null>;

async function guard(root: string, paths: readonly string[]): Promise<Guarded> {
  const entries = await Promise.all(
    paths.map(async (path) => [path, await bytesOf(join(root, path))] as const),
  );
  return new Map(entries);
}

/** Restores every file that differs, and returns the tamper codes. */
async function restoreTampered(root: string, guarded: Guarded): Promise<readonly string[]> {
  const codes = new Set<string>();
  for (const [path, before] of guarded) {
    const file = join(root, path);
    if (isSame(before, await bytesOf(file))) continue;
    codes.add(tamperCode(path));
    await rm(file, { recursive: true, force: true });
    if (before === null) continue;
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, before);
  }
  return [...codes];
}

async function bytesOf(file: string): Promise<Uint8Array | null> {
  const found = await regularFile(file);
  if (found === 'absent') return null;
  // Replaced by a directory, a link or a pipe, or made unreadable.
  return found === 'irregular' ? new Uint8Array([0xff, 0xfe, 0x00]) : found;
}

function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  if (a === null || b === null) return a === b;
  return Buffer.compare(a, b) === 0;
}
