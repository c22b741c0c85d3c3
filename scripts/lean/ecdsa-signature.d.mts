export const ECDSASigValue: string;
export const AsnParser: { parse(signature: Uint8Array): { r: ArrayBuffer; s: ArrayBuffer } };
