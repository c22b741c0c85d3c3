import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { cliErrors } from './errors.ts';

export async function readStdin(): Promise<Uint8Array> {
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

/** The lines of a file or of standard input, one at a time, so that a file of any size fits. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (cause: unknown) =>
      reject(cliErrors.file_unreadable({ message: `${path} cannot be read.`, cause })),
    );
  });
  failed.catch(() => undefined);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  while (true) {
    const { done, value } = await Promise.race([lines.next(), failed]);
    if (done) return;
    yield value;
  }
}
