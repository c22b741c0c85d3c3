import type { Micros } from '../../../kernel/clock.ts';
import type { Hasher } from '../../../kernel/hasher.ts';
import type { LooseRecord } from '../../../kernel/json/loose.ts';
import { createRunningHash, type RunningHash } from '../../../platform/running-hash.ts';
import type { ObservedPart } from '../a2a/observe.ts';
import { createPartCap } from '../spans/capped-parts.ts';
import { type Chunk, createChunkLog } from '../spans/chunk-log.ts';
import { type ContentMode, withoutBytes, withoutSecrets } from '../spans/content.ts';

/** What an agent said in one exchange: as much of it as is shown and passed on, and the digest of all of it. */
export interface ReplyLog {
  add(at: Micros, parts: readonly ObservedPart[]): void;
  /** How many parts came. */
  readonly count: number;
  /** How many pieces they came in. */
  readonly pieces: number;
  /** The pieces, or neighbours of them joined, with those of their parts that are kept. */
  chunks(): readonly Chunk<ObservedPart>[];
  /** What may stand in a span of the parts that are kept. */
  shown(): readonly LooseRecord[];
  /** How many characters are not shown. */
  readonly cut: number;
  /** All the text, or its beginning where that is very long. */
  text(): string;
  /** Of all the text, however long. */
  digest(): string;
}

const CHUNK_BUDGET = 64;
/** A stream may go on for days: what is kept of it has an end. */
const MOST_PARTS = 10_000;
const MOST_TEXT = 256 * 1024;
/** Only whether two are the same counts, and agents may call their artifacts what they like. */
const LONG_SOURCE = 200;
const NOTHING: LooseRecord = {};

/** `mode` is undefined where nothing is shown. */
export function createReplyLog(hasher: Hasher, mode: ContentMode | undefined): ReplyLog {
  const log = createChunkLog<ObservedPart>(CHUNK_BUDGET);
  const cap = createPartCap();
  const kept: ObservedPart[] = [];
  let count = 0;
  let left = 0;
  let text = '';
  let running: RunningHash | undefined;
  let known: { readonly count: number; readonly parts: readonly LooseRecord[] } | undefined;
  let digest: { readonly count: number; readonly hex: string } | undefined;

  function hear(said: string): void {
    if (text.length + said.length <= MOST_TEXT && !running) {
      text += said;
      return;
    }
    if (!running) {
      running = createRunningHash();
      running.add(text);
      text += said.slice(0, MOST_TEXT - text.length);
    }
    running.add(said);
  }

  function keep({ source, part }: ObservedPart): ObservedPart | undefined {
    if (kept.length === MOST_PARTS) {
      left += typeof part.text === 'string' ? part.text.length : 0;
      return undefined;
    }
    const bare = {
      source: source.length > LONG_SOURCE ? hasher.hex(source) : source,
      part: mode === undefined ? NOTHING : cap.cap(withoutBytes(part, hasher)),
    };
    kept.push(bare);
    return bare;
  }

  return {
    add(at, parts) {
      if (parts.length === 0) return;
      const own: ObservedPart[] = [];
      for (const one of parts) {
        count += 1;
        if (typeof one.part.text === 'string') hear(one.part.text);
        const bare = keep(one);
        if (bare) own.push(bare);
      }
      log.add({ at, parts: own });
    },
    get count() {
      return count;
    },
    get pieces() {
      return log.count;
    },
    chunks: () => log.list(),
    shown() {
      if (mode === undefined) return [];
      if (known?.count !== kept.length) {
        const parts = withoutSecrets(
          kept.map(({ part }) => part),
          mode,
          (at) => kept[at]?.source ?? '',
        );
        known = { count: kept.length, parts };
      }
      return known.parts;
    },
    get cut() {
      return mode === undefined ? 0 : cap.cut + left;
    },
    text: () => text,
    digest() {
      if (digest?.count !== count) digest = { count, hex: running ? running.hex() : hasher.hex(text) };
      return digest.hex;
    },
  };
}
