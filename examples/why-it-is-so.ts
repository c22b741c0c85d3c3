/** States a fact, asks why it is so, and checks the proof of the answer without the server. */
import assert from 'node:assert/strict';
import { createClient } from '@baton-ledger/client';
import { checkWhy } from '@baton-ledger/client/verify';

const { BATON_URL: url = 'http://127.0.0.1:7373', BATON_TOKEN: token = '' } = process.env;
const baton = createClient({ url, token });

const { package_id } = await baton.call('packages.write', {
  title: 'Compared three queues',
  decisions_made: ['Use the one that survives a restart'],
});
const fact = await baton.call('facts.state', {
  subject: 'queue',
  predicate: 'choice',
  value: 'durable',
  source_package_id: package_id,
});

const why = await baton.call('why.explain', { id: fact.fact_id });
const learned = why.links.find(({ as }) => as === 'source');
assert.equal(why.nodes[learned?.to ?? -1]?.id, package_id);

const response = await fetch(`${url}/v1/why/proof`, {
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ id: fact.fact_id }),
});
const file = await response.text();
const genuine = await checkWhy(file);
assert.ok(genuine.valid, genuine.error?.message);

const forged = await checkWhy(file.replace('"words": "asserted"', '"words": "retracted"'));
assert.equal(forged.valid, false);
console.log(`${genuine.steps} steps are proved; a changed one is refused at: ${forged.error?.step}`);
