/** SHA-256, passed in so that the kernel also runs in a browser. Strings are hashed as UTF-8. */
export interface Hasher {
  hex(data: string | Uint8Array): string;
  bytes(data: string | Uint8Array): Uint8Array;
}
