import { encodeBase64 } from '../../../kernel/base64.ts';

export interface Mail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** What is left of the @ in the message's id; the same for the same message. */
  readonly id: string;
  readonly date: Date;
}

/** An RFC 5322 message with one plain part. Lines end in CRLF. */
export function mailText({ from, to, subject, text, id, date }: Mail): string {
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return [
    `From: Baton <${from}>`,
    `To: <${to}>`,
    `Subject: ${encodedWords(subject)}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${domain}>`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...inLines(encodeBase64(new TextEncoder().encode(text.replaceAll('\n', '\r\n')))),
    '',
  ].join('\r\n');
}

const PLAIN = /^[\x20-\x7e]*$/;
const LONGEST_PLAIN = 60;
/** Bytes for each encoded word: as base64 in its frame, and behind the name of the header, it stays below 78 characters. */
const WORD_BYTES = 42;

/** RFC 2047: what is not ASCII, or too long for a line, in pieces that each are whole characters. */
function encodedWords(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ');
  if (PLAIN.test(line) && line.length <= LONGEST_PLAIN && !line.includes('=?')) return line;
  const words: string[] = [];
  let piece = '';
  for (const character of line) {
    if (Buffer.byteLength(piece + character) > WORD_BYTES) {
      words.push(piece);
      piece = '';
    }
    piece += character;
  }
  words.push(piece);
  return words.map((word) => `=?utf-8?B?${encodeBase64(new TextEncoder().encode(word))}?=`).join('\r\n ');
}

function inLines(base64: string): string[] {
  return base64.match(/.{1,76}/g) ?? [''];
}
