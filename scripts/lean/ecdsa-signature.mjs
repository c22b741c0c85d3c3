/**
 * In the place of two ASN.1 libraries, of which the check of a passkey's signature uses this much: a DER sequence of the
 * two integers r and s (RFC 3279, 2.2.3). What is not exactly that is refused; whether it is the signature is for the
 * check that follows.
 */
export const ECDSASigValue = 'Ecdsa-Sig-Value';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
/** P-521's sequence is the longest there is, 139 bytes, and the only one whose length takes a second byte. */
const LONG_FORM = 0x81;

export const AsnParser = {
  parse(signature) {
    const bytes = new Uint8Array(signature);
    let at = 0;
    const element = (tag) => {
      if (bytes[at] !== tag) throw new Error('The signature is no DER sequence of two integers.');
      at += 1;
      if (bytes[at] === LONG_FORM) at += 1;
      const length = bytes[at];
      at += 1;
      if (!(length > 0) || at + length > bytes.length) throw new Error('The signature is cut off.');
      return length;
    };
    const integer = () => {
      const length = element(INTEGER);
      at += length;
      return bytes.slice(at - length, at);
    };
    const rest = element(SEQUENCE);
    if (at + rest !== bytes.length) throw new Error('Something follows the signature.');
    const r = integer();
    const s = integer();
    if (at !== bytes.length) throw new Error('Something follows the signature.');
    return { r: r.buffer, s: s.buffer };
  },
};
