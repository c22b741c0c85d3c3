import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { cliErrors } from './errors.ts';

async function readStdin(): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** A file's bytes; `-` is standard input. */
export async function readInput(path: string): Promise<Uint8Array> {
  if (path === '-') return readStdin();
  return readFile(path).catch((cause) => {
    throw cliErrors.file_unreadable({ message: `${path} cannot be read.`, cause });
  });
}

/**
 * The lines of a file or of standard input, one at a time, so that a file of any size fits. Only LF ends a line, and
 * bytes that are not UTF-8 are refused: a verifier must see every byte that is there.
 */
export async function* readLines(path: string): AsyncGenerator<string> {
  const input: AsyncIterable<Buffer> = path === '-' ? process.stdin : createReadStream(path);
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  try {
    for await (const piece of input) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    rest += decoder.decode();
  } catch (cause) {
    throw cliErrors.file_unreadable({ message: `${path} cannot be read as UTF-8 text.`, cause });
  }
  if (rest !== '') yield rest;
}
