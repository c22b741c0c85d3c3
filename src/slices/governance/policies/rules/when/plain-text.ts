/**
 * A text without what people cannot see and programs often remove: invisible characters, spaces around it, and other forms of
 * the same letters, as in full width. Not the look-alikes of other scripts, which are other letters to a program as well.
 */
export function plainText(text: string): string {
  if (/^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(text)) return text;
  return text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .trim();
}
