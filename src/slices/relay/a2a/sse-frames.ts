export interface SseFrame {
  /** The frame as it came, its closing blank line included. */
  readonly bytes: Uint8Array;
  readonly event: string;
  readonly id: string | undefined;
  /** Undefined where the frame has no `data` field: comments and the like. */
  readonly data: string | undefined;
}

export interface SseFrameReader {
  push(bytes: Uint8Array): SseFrame[];
  /** What came after the last complete frame. */
  rest(): Uint8Array;
}

const LF = 10;
const CR = 13;

/**
 * Cuts a byte stream into server-sent-event frames without changing a byte: what is joined again is what came in. Lines
 * end with LF, CR or CRLF, and a frame with an empty line; a CR that may yet become a CRLF waits for the next byte.
 */
export function createSseFrameReader(maxFrameBytes = 16 * 1024 * 1024): SseFrameReader {
  let held: Uint8Array = new Uint8Array();
  let scanned = 0;
  let lineStart = 0;

  return {
    push(bytes) {
      held = held.length === 0 ? bytes : joined(held, bytes);
      const frames: SseFrame[] = [];
      let start = 0;
      while (scanned < held.length) {
        const byte = held[scanned];
        if (byte !== LF && byte !== CR) {
          scanned += 1;
          continue;
        }
        if (byte === CR && scanned + 1 === held.length) break;
        const empty = scanned === lineStart;
        scanned += byte === CR && held[scanned + 1] === LF ? 2 : 1;
        lineStart = scanned;
        if (!empty) continue;
        frames.push(new FrameOfBytes(held.slice(start, scanned)));
        start = scanned;
      }
      if (start > 0) {
        held = held.slice(start);
        scanned -= start;
        lineStart -= start;
      }
      if (held.length > maxFrameBytes) throw new RangeError('A server-sent event is larger than the limit.');
      return frames;
    },
    rest: () => held,
  };
}

const decoder = new TextDecoder();

interface Fields {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string | undefined;
}

/** Read only when somebody asks what it says: most frames are passed on as they came before anybody does. */
class FrameOfBytes implements SseFrame {
  readonly bytes: Uint8Array;
  #fields: Fields | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get event(): string {
    return this.#read().event;
  }

  get id(): string | undefined {
    return this.#read().id;
  }

  get data(): string | undefined {
    return this.#read().data;
  }

  #read(): Fields {
    this.#fields ??= fieldsOf(this.bytes);
    return this.#fields;
  }
}

function fieldsOf(bytes: Uint8Array): Fields {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of decoder.decode(bytes).split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':');
    if (line === '' || colon === 0) continue;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id') id = value;
  }
  return { event, id, data: data.length === 0 ? undefined : data.join('\n') };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
