/** For tests of what is shown: written apart from the renderer, by ranges of the Unicode tables and not by properties. */
const HIDDEN_RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe0d],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
  [0xf0000, 0x10ffff],
];

/** The code points of a text that nobody sees as they are; joiners and selectors belong to emoji and scripts too. */
export function hiddenIn(text: string): string[] {
  return [...text].flatMap((sign) => {
    const point = sign.codePointAt(0) ?? 0;
    const hidden = HIDDEN_RANGES.some(([first, last]) => point >= first && point <= last);
    return hidden ? [`U+${point.toString(16)}`] : [];
  });
}
