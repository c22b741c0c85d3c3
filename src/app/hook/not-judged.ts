/** Baton was asked, and failed over the message itself: not for who asks, nor because the store cannot be written just now. */
export class NotJudged extends Error {}

export function isNotJudged(status: number): boolean {
  return [400, 413, 422, 429].includes(status) || (status >= 500 && status !== 503);
}
