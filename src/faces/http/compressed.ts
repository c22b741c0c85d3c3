import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

/** The better one of what a client takes; undefined where it takes neither. */
export function acceptedEncoding(header: string | undefined): Encoding | undefined {
  const taken = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return [name, weight === undefined || Number(weight) > 0] as const;
    }),
  );
  return (['br', 'gzip'] as const).find((each) => taken.get(each) ?? false);
}

/** More than a build has files; old ones go when it is built again under a running server. */
const MOST_KEPT = 1_000;
const SMALLEST = 1_024;

/** As far as it pays for what is compressed once and sent many times. */
const QUALITY = 9;

const encoders: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>>> = {
  br: async (bytes) =>
    new Uint8Array(
      await promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
    ),
  gzip: async (bytes) => new Uint8Array(await promisify(gzip)(bytes, { level: QUALITY })),
};

/** Compresses each version of a file once, off the main thread. Undefined where it would gain nothing. */
export function createCompressor() {
  const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  return async (
    version: string,
    bytes: Uint8Array,
    encoding: Encoding,
  ): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    if (bytes.length < SMALLEST) return undefined;
    const key = `${encoding} ${version}`;
    let made = kept.get(key);
    if (!made) {
      if (kept.size >= MOST_KEPT) kept.clear();
      made = encoders[encoding](bytes);
      kept.set(key, made);
    }
    return made;
  };
}
