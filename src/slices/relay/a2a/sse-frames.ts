export interface SseFrame {
  /** The frame as it came, its closing blank line included. */
  readonly bytes: Uint8Array;
  /** Read anew each time: frames are kept for callers that come back, and their text would take the room twice. */
  read(): SseFields;
}

export interface SseFields {
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
  const gathered = new GrowingBytes();
  let scanned = 0;
  let lineStart = 0;

  return {
    push(bytes) {
      gathered.add(bytes);
      const held = gathered.bytes;
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
        gathered.drop(start);
        scanned -= start;
        lineStart -= start;
      }
      if (gathered.bytes.length > maxFrameBytes)
        throw new RangeError('A server-sent event is larger than the limit.');
      return frames;
    },
    rest: () => gathered.bytes.slice(),
  };
}

const decoder = new TextDecoder();

class FrameOfBytes implements SseFrame {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  read(): SseFields {
    return fieldsOf(this.bytes);
  }
}

function fieldsOf(bytes: Uint8Array): SseFields {
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

/** A frame may come in very many pieces: to copy what is there for each of them would take quadratic time. */
class GrowingBytes {
  #room: Uint8Array = new Uint8Array();
  #length = 0;

  /** Valid until the next change. */
  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  add(piece: Uint8Array): void {
    if (this.#length === 0) {
      // Most pieces are whole frames, and are looked at where they are.
      this.#room = piece;
      this.#length = piece.length;
      return;
    }
    const length = this.#length + piece.length;
    if (length > this.#room.length || this.#isBorrowed()) this.#grow(Math.max(length, 2 * this.#length));
    this.#room.set(piece, this.#length);
    this.#length = length;
  }

  drop(count: number): void {
    const rest = this.#room.slice(count, this.#length);
    this.#room = rest;
    this.#length = rest.length;
  }

  #isBorrowed(): boolean {
    return this.#length === this.#room.length;
  }

  #grow(size: number): void {
    const room = new Uint8Array(size);
    room.set(this.bytes);
    this.#room = room;
  }
}
