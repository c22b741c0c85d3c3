/** SHA-256, handed in so that this folder runs in a browser too. Strings are hashed as UTF-8. */
export interface Hasher {
  hex(data: string | Uint8Array): string;
  bytes(data: string | Uint8Array): Uint8Array;
}
