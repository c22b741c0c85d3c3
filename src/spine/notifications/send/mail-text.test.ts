import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailText } from './mail-text.ts';

const mail = (subject: string, text = 'Hello\n') =>
  mailText({
    from: 'baton@example.com',
    to: 'ana@example.com',
    subject,
    text,
    id: 'm1',
    date: new Date(0),
  });

function subjectOf(text: string): string {
  const folded = /\r\nSubject: ((?:.*\r\n )*.*)\r\n/.exec(text)?.[1] ?? '';
  return folded
    .split('\r\n ')
    .map((word) => {
      const encoded = /^=\?utf-8\?B\?(.*)\?=$/.exec(word)?.[1];
      return encoded === undefined ? word : Buffer.from(encoded, 'base64').toString('utf8');
    })
    .join('');
}

describe('the text of a mail', () => {
  it('gives back any subject as one line, and adds no header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (subject) => {
        const text = mail(subject);
        expect(subjectOf(text)).toBe(subject.replace(/[\r\n]+/g, ' '));
        const head = text.slice(0, text.indexOf('\r\n\r\n'));
        for (const line of head.split('\r\n')) {
          expect(line).toMatch(/^( |From|To|Subject|Date|Message-ID|Auto-Submitted|MIME-Version|Content-)/);
          expect(line.length).toBeLessThanOrEqual(78);
        }
      }),
    );
  });

  it('gives back any body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (body) => {
        const text = mail('s', body);
        const encoded = text.slice(text.indexOf('\r\n\r\n') + 4).replaceAll('\r\n', '');
        const decoded = Buffer.from(encoded, 'base64').toString('utf8');
        expect(decoded).toBe(body.replaceAll('\n', '\r\n'));
      }),
    );
  });
});
