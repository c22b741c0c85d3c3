/** SHA-256 (FIPS 180-4) without a runtime's help, for places that have no synchronous one: the browser. */
import type { Hasher } from './hasher.ts';
import { toHex } from './hex.ts';

const BLOCK = 64;
const primes = firstPrimes(64);
const ROUND_CONSTANTS = Int32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_STATE = Int32Array.from(primes.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)));

export const portableHasher: Hasher = {
  hex: (data) => toHex(sha256(data)),
  bytes: (data) => sha256(data),
};

function sha256(data: string | Uint8Array): Uint8Array {
  const input = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const state = Int32Array.from(INITIAL_STATE);
  const schedule = new Int32Array(64);
  const whole = input.length - (input.length % BLOCK);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  for (let at = 0; at < whole; at += BLOCK) compress(state, schedule, view, at);
  const tail = paddedTail(input, whole);
  for (let at = 0; at < tail.byteLength; at += BLOCK) compress(state, schedule, tail, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    digest.setInt32(4 * index, word);
  });
  return new Uint8Array(digest.buffer);
}

function paddedTail(input: Uint8Array, from: number): DataView {
  const rest = input.length - from;
  const tail = new Uint8Array(rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK);
  tail.set(input.subarray(from));
  tail[rest] = 0x80;
  const view = new DataView(tail.buffer);
  view.setUint32(tail.length - 8, Math.floor(input.length / 0x2000_0000));
  view.setUint32(tail.length - 4, (input.length << 3) >>> 0);
  return view;
}

function compress(state: Int32Array, w: Int32Array, block: DataView, offset: number): void {
  for (let t = 0; t < 16; t += 1) w[t] = block.getInt32(offset + 4 * t);
  for (let t = 16; t < 64; t += 1) {
    const early = w[t - 15] as number;
    const late = w[t - 2] as number;
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[t] = ((w[t - 16] as number) + mixedEarly + (w[t - 7] as number) + mixedLate) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let t = 0; t < 64; t += 1) {
    const choice = (e & f) ^ (~e & g);
    const bigE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + bigE + choice + (ROUND_CONSTANTS[t] as number) + (w[t] as number)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const bigA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (bigA + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The standard defines its constants as the first 32 bits behind the point of roots of primes. */
function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < count; candidate += 1) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}
