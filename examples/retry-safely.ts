/** Sends a write twice with one idempotency key, as a client does after a timeout: it happens once. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { BatonRequestError, createClient } from '@baton-ledger/client';

const { BATON_URL: url = 'http://127.0.0.1:7373', BATON_TOKEN: token = '' } = process.env;
const baton = createClient({ url, token });

const idempotencyKey = randomUUID();
const order = { title: 'Ordered ten licences' };
const first = await baton.call('packages.write', order, { idempotencyKey });
const again = await baton.call('packages.write', order, { idempotencyKey });
assert.equal(again.package_id, first.package_id);

// The same key for something else is a bug in the caller, and is refused.
const refusal = await baton
  .call('packages.write', { title: 'Ordered twenty licences' }, { idempotencyKey })
  .then(() => undefined)
  .catch((error: unknown) => error);
assert.ok(refusal instanceof BatonRequestError && refusal.status === 409);
console.log(`One package (${first.package_id}) from two identical requests; a different one was refused.`);
