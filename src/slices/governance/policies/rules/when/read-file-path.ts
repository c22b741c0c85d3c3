/** The files that one text may name: programs and systems read the same path in different ways. */
import { type FilePath, parseFilePath } from './file-path.ts';
import { plainText } from './plain-text.ts';

/** Every reading; none where the path may lead anywhere. */
export function readFilePath(text: string): FilePath[] {
  const spellings = [{ text, backslashes: true }];
  // Elsewhere than on Windows a backslash is part of a name, and `a\\b/..` leaves no more than that one.
  if (text.includes('\\') && text.includes('..') && !/^[a-z]:/i.test(text))
    spellings.push({ text, backslashes: false });
  // `//etc/x` is `/etc/x` but to Windows, where it is on the server etc.
  if (/^\/\/[^/]/.test(text)) spellings.push({ text: text.slice(1), backslashes: true });
  const plain = plainText(text);
  // Windows ignores dots and spaces at the end of a name, and what follows a colon.
  const short = plain.replace(/(?<=[^\\/:]{2}):[^\\/]*|(?<=[^\\/. ])[. ]+(?=[\\/]|$)/g, '');
  for (const other of new Set([plain, short]))
    if (other !== text) spellings.push({ text: other, backslashes: true });
  const readings = spellings.map((each) => parseFilePath(each.text, each));
  return readings.every((each) => each !== undefined) ? readings : [];
}
