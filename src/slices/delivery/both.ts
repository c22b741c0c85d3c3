/** Does both at once. Whatever becomes of one, the other has come to its end too when this does: nothing goes on unseen. */
export async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}
