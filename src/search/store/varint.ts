/** Whole numbers in as few bytes as they need, seven bits to a byte, least first; exact up to 2^53. */
export class VarintWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(room = 256) {
    this.#bytes = new Uint8Array(Math.max(room, 16));
  }

  write(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow();
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** The bytes of another, after their number. */
  append(bytes: Uint8Array): void {
    this.write(bytes.length);
    while (this.#length + bytes.length > this.#bytes.length) this.#grow();
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
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
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }
}
