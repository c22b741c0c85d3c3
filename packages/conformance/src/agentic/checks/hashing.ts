import { assert, assertEqual } from '../../assertions.ts';
import { type Check, L1 } from '../check.ts';
import { assertAccepted, hashIn, specHash, type Trial } from '../trial.ts';

/** Deposits the text and compares the server's hash with ours. */
async function hashesLike(trial: Trial, text: string): Promise<void> {
  const reply = await trial.deposit(text);
  assertAccepted(reply, 'the package');
  assertEqual(hashIn(reply), specHash(text), 'the content hash');
  const again = await trial.read((JSON.parse(text) as { package_id: string }).package_id);
  assertEqual(hashIn(again), specHash(again.text), 'the content hash of what is read');
  assertEqual(hashIn(again), specHash(text), 'the content hash when read');
}

const check = (id: string, section: string, title: string, text: (trial: Trial) => string): Check =>
  L1.must(id, section, title, (trial) => hashesLike(trial, text(trial)));

const written = (trial: Trial, more: Record<string, unknown> = {}) => JSON.stringify(trial.aPackage(more));

export const hashingChecks: readonly Check[] = [
  check('A20', '6.6', 'A SHA-256 hash is computed for every package', (trial) => written(trial)),
  check('A21', 'A', 'Keys are sorted by their UTF-8 bytes at every depth', (trial) =>
    written(trial, { '😀': 1, '\ufb33': 2, Z: { b: 1, a: { '😀': 1, '\ufb33': 2 } } }),
  ),
  check('A22', 'A', 'Whitespace between tokens does not count', (trial) =>
    JSON.stringify(trial.aPackage({ nested: { a: [1, 2] } }), null, 4),
  ),
  check('A23', 'A', 'Null members do not count, null elements do', (trial) =>
    written(trial, { description: null, nested: { gone: null }, kept: [null, { gone: null }] }),
  ),
  check('A24', 'A', 'Arrays keep their order', (trial) => written(trial, { tags: ['b', 'a', 'c'] })),
  check('A25', 'A', 'Numbers are written as in RFC 8785', (trial) =>
    written(trial, { numbers: 0 }).replace(
      '"numbers":0',
      '"numbers":[1.0,1e2,0.1,1e21,1.5e-7,-0,123456789012345,5e-324]',
    ),
  ),
  check('A26', 'A', 'Strings are escaped minimally', (trial) =>
    written(trial, { description: 0 }).replace(
      '"description":0',
      '"description":"\\u0041\\/ \\u00fc \\u007f \\u2028 \\b\\f\\n\\r\\t\\u0001\\u001F \\"\\\\ \\ud83d\\ude00"',
    ),
  ),
  L1.must('A27', '6.6', 'The hash is not a member of the package', async (trial) => {
    const { json, body } = await trial.readBack();
    const surplus = Object.keys(json?.package ?? json ?? {}).filter((name) => !(name in body));
    assertEqual(surplus, [], 'members that nobody wrote');
  }),
  L1.must('A28', '5.4', 'The author is part of the hash', async (trial) => {
    const body = trial.aPackage({ created_by: { ...trial.actor, session_id: 'one' } });
    const first = hashIn(await trial.deposit(body));
    const created_by = { ...trial.actor, session_id: 'two' };
    const changed = { ...body, package_id: trial.freshId(), created_by };
    const second = hashIn(await trial.deposit(changed));
    assert(first !== undefined && second !== undefined && first !== second, 'both have the same hash');
    assertEqual(second, specHash(JSON.stringify(changed)), 'the hash with the other session');
  }),
  L1.must('A73', '10.1', 'A package read has the hash it was deposited with', async (trial) => {
    const { body, text } = await trial.readBack({ 'x-n': 1.5, unknown: { b: null, a: 1 } });
    assertEqual(specHash(text), specHash(JSON.stringify(body)), 'the hash of what is read');
  }),
];
