/** Just enough of ustar for packages whose bytes depend on their content alone: sorted, no times, no owners. */
import { governanceErrors } from '../../errors.ts';

const BLOCK = 512;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function writeTar(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (const [path, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    pieces.push(
      header(path, content.length),
      content,
      new Uint8Array((BLOCK - (content.length % BLOCK)) % BLOCK),
    );
  }
  pieces.push(new Uint8Array(BLOCK * 2));
  return Uint8Array.from(Buffer.concat(pieces));
}

function header(path: string, size: number): Uint8Array {
  const { name, prefix } = splitPath(path);
  const block = new Uint8Array(BLOCK);
  const put = (text: string, at: number) => block.set(encoder.encode(text), at);
  put(name, 0);
  put('0000644\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')}\0`, 124);
  put('00000000000\0', 136);
  put('        ', 148);
  put('0', 156);
  put('ustar\0', 257);
  put('00', 263);
  put(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function splitPath(path: string): { name: string; prefix: string } {
  if (encoder.encode(path).length <= 100) return { name: path, prefix: '' };
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const prefix = path.slice(0, at);
    const name = path.slice(at + 1);
    if (encoder.encode(prefix).length <= 155 && encoder.encode(name).length <= 100) return { name, prefix };
  }
  throw governanceErrors.atlas_load_error({ message: `The path ${path} is too long for a package.` });
}

/** Refuses archives that are truncated or hold anything but plain files. */
export function readTar(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const block = bytes.subarray(at, at + BLOCK);
    if (block.every((byte) => byte === 0)) return files;
    const text = (from: number, length: number) =>
      decoder.decode(block.subarray(from, from + length)).split('\0')[0] ?? '';
    const size = Number.parseInt(text(124, 12), 8);
    const prefix = text(345, 155);
    const path = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
    if (text(257, 5) !== 'ustar' || block[156] !== 48 || !Number.isSafeInteger(size) || files.has(path)) {
      throw governanceErrors.atlas_load_error({ message: 'The file is not an Atlas package.' });
    }
    const start = at + BLOCK;
    if (start + size > bytes.length) break;
    files.set(path, bytes.slice(start, start + size));
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw governanceErrors.atlas_load_error({ message: 'The package is truncated.' });
}
