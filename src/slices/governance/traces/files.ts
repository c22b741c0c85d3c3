import { readFile } from 'node:fs/promises';
import { readTraceEvent, type TraceEvent } from '../../../kernel/trace/event.ts';
import { nodeHasher } from '../../../platform/node-hasher.ts';
import { requireAtlas } from '../atlases/files/read.ts';
import { type Atlas, atlasOf } from '../atlases/rules/atlas.ts';
import { takeInlineFiles } from '../atlases/rules/context-files.ts';
import type { AtlasManifest } from '../atlases/schema.ts';
import { governanceErrors } from '../errors.ts';
import { issuesOf } from '../schema.ts';
import { diffTraces, type TraceDiff } from './rules/diff.ts';
import { type Impact, traceImpact } from './rules/impact.ts';
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

/** `baton trace impact SESSION --new PATH`: the same for what a server recorded and has loaded. */
export async function impactOnSession(
  inputs: readonly RecordedInput[],
  manifests: readonly AtlasManifest[],
  next: string,
): Promise<Impact> {
  const known = new Map(
    manifests.map((carried) => {
      const atlas = atlasOf(nodeHasher, takeInlineFiles(carried));
      return [atlas.digest, atlas];
    }),
  );
  return traceImpact(inputs, (digest) => known.get(digest), await requireAtlas(next, { hasher: nodeHasher }));
}

/** `baton trace impact --inputs FILE --atlas OLD… --new PATH`: what a new Atlas would decide differently. */
export async function impactOfAtlas(
  inputs: string,
  atlases: readonly string[],
  next: string,
): Promise<Impact> {
  const known = await byDigest(atlases);
  return traceImpact(
    await readInputsFile(inputs),
    (digest) => known.get(digest),
    await requireAtlas(next, { hasher: nodeHasher }),
  );
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
  return linesOf(await readFile(path, 'utf8')).map((line, at) => {
    const parsed = recordedInputSchema.safeParse(JSON.parse(line));
    if (parsed.success) return parsed.data;
    const [issue] = issuesOf(parsed.error);
    throw governanceErrors.replay_error({
      message: `Line ${at + 1} of ${path} is not a recorded input: ${issue?.message} at ${issue?.pointer}.`,
    });
  });
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
