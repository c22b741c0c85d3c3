import { readFile } from 'node:fs/promises';
import { readTraceEvent, type TraceEvent } from '../../../kernel/trace/event.ts';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { requireAtlas } from '../atlases/files/read.ts';
import type { Atlas } from '../atlases/rules/atlas.ts';
import { governanceErrors } from '../errors.ts';
import { readCallLine } from '../impact/recorded-call.ts';
import { measureImpact } from '../impact/rules/impact.ts';
import { type CallOnRecord, instantOf } from '../impact/rules/side.ts';
import type { Impact } from '../impact/schema.ts';
import { issuesOf } from '../schema.ts';
import { diffTraces, type TraceDiff } from './rules/diff.ts';
import { type Replay, replayTrace } from './rules/replay.ts';
import { reconstructState, type SessionState } from './rules/state.ts';
import { type RecordedInput, recordedInputSchema } from './schema.ts';

/** `baton trace diff A B` */
export async function diffTraceFiles(a: string, b: string): Promise<TraceDiff> {
  return diffTraces(await readTraceFile(a), await readTraceFile(b));
}

/** `baton trace show FILE`: the state that the session ended in. */
export async function showTraceFile(path: string): Promise<SessionState> {
  return reconstructState(await readTraceFile(path));
}

/** `baton trace replay FILE --inputs FILE --atlas PATH…`: decides every request again. */
export async function replayTraceFile(
  trace: string,
  inputs: string | undefined,
  atlases: readonly string[],
): Promise<Replay> {
  const known = await byDigest(atlases);
  const recorded = inputs === undefined ? [] : await readInputsFile(inputs);
  return replayTrace(await readTraceFile(trace), recorded, (digest) => known.get(digest), nodeHasher);
}

/** `baton trace impact --inputs FILE… --atlas OLD… --new PATH`: what a new Atlas would decide differently. */
export async function impactOfAtlas(
  inputs: readonly string[],
  atlases: readonly string[],
  next: string,
): Promise<Impact> {
  const known = await byDigest(atlases);
  const recorded = { inputs: [] as RecordedInput[], calls: [] as CallOnRecord[] };
  for (const path of inputs) {
    for (const [at, line] of linesOf(await readFile(path, 'utf8')).entries()) {
      const call = readCallLine(line);
      if (call) recorded.calls.push({ call, failed: null });
      else recorded.inputs.push(readInputLine(line, path, at));
    }
  }
  recorded.calls.sort((a, b) => instantOf(a.call) - instantOf(b.call));
  const question = { projectId: '', next: await requireAtlas(next, { hasher: nodeHasher }) };
  const impact = measureImpact(recorded, (digest) => known.get(digest), question);
  return { ...impact, since: null, until: null };
}

async function byDigest(paths: readonly string[]): Promise<Map<string, Atlas>> {
  const known = new Map<string, Atlas>();
  for (const path of paths) {
    const atlas = await requireAtlas(path, { hasher: nodeHasher });
    known.set(atlas.digest, atlas);
  }
  return known;
}

export async function readTraceFile(path: string): Promise<TraceEvent[]> {
  return linesOf(await readFile(path, 'utf8')).map((line) => readTraceEvent(line, 'trace', 'lenient'));
}

export async function readInputsFile(path: string): Promise<RecordedInput[]> {
  const lines = [...linesOf(await readFile(path, 'utf8')).entries()];
  return lines.filter(([, line]) => !readCallLine(line)).map(([at, line]) => readInputLine(line, path, at));
}

function readInputLine(line: string, path: string, at: number): RecordedInput {
  const parsed = recordedInputSchema.safeParse(JSON.parse(line));
  if (parsed.success) return parsed.data;
  const [issue] = issuesOf(parsed.error);
  throw governanceErrors.replay_error({
    message: `Line ${at + 1} of ${path} is not a recorded input: ${issue?.message} at ${issue?.pointer}.`,
  });
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
