/** Whole numbers in as few bytes as they need, seven bits to a byte, least first; exact up to 2^53. */
export class VarintWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  write(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow();
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** These numbers, after how many bytes they take: a reader may step over them. */
  writeList(values: readonly number[]): void {
    let bytes = 0;
    for (const value of values) bytes += varintBytes(value);
    this.write(bytes);
    for (const value of values) this.write(value);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(): void {
    const grown = new Uint8Array(this.#bytes.length * 2);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let limit = 0x80; value >= limit; limit *= 0x80) bytes += 1;
  return bytes;
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get at(): number {
    return this.#at;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  read(): number {
    const first = this.#bytes[this.#at++] as number;
    return first < 0x80 ? first : this.#readOn(first & 0x7f);
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  #readOn(low: number): number {
    let value = low;
    let scale = 0x80;
    for (;;) {
      const byte = this.#bytes[this.#at++];
      // Damaged bytes must not be read for ever.
      if (byte === undefined) throw new Error('A list of numbers ends in the middle of one.');
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }
}
