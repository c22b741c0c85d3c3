/** What goes beyond the protocol and is reported apart: a server without it loses no level. */
import { canonicalJcs } from '../../../../../src/kernel/json/canonical/jcs.ts';
import { nodeHasher } from '../../../../../src/platform/index.ts';
import { assert, assertEqual, Skip } from '../../assertions.ts';
import { createSigner, statementAbout } from '../attestation.ts';
import { type Check, extension } from '../check.ts';
import {
  assertAccepted,
  assertError,
  hashIn,
  listOf,
  packagePath,
  projectPath,
  shown,
  type Trial,
} from '../trial.ts';

async function approved(trial: Trial) {
  const body = await trial.awaitingReview();
  const reply = await trial.target.send('POST', packagePath(body.package_id, 'review'), {
    verdict: 'approve',
  });
  if (reply.status >= 300) throw new Skip(`no review: ${shown(reply)}`);
  return body;
}

export const extensionChecks: readonly Check[] = [
  extension('X1', 'The review log is chained by hashes', async (trial) => {
    const body = await approved(trial);
    const entries = listOf(await trial.get(packagePath(body.package_id, 'reviews')), 'entries');
    assert(entries.length > 0, 'the log is empty');
    let previous: string | null = null;
    // A note can be erased without breaking the log: only its hash is part of the entry.
    for (const { entry_hash, note: _, note_salt: __, ...entry } of entries) {
      assertEqual(entry.previous_entry_hash, previous, 'the entry before');
      assertEqual(entry_hash, `sha256:${nodeHasher.hex(canonicalJcs(entry))}`, 'the hash of an entry');
      previous = entry_hash;
    }
  }),
  extension('X2', 'The body hash stays the same through a review', async (trial) => {
    const body = trial.aPackage({ status: 'draft' });
    const before = (await trial.deposit(body)).headers.get('relay-body-hash');
    if (before === null) throw new Skip('no Relay-Body-Hash');
    const after = await trial.flag(body.package_id, 'agent');
    assertEqual(after.headers.get('relay-body-hash'), before, 'the body hash');
  }),
  extension('X3', 'A deposit can be repeated after its approval', async (trial) => {
    const reply = await trial.deposit(await approved(trial));
    assertAccepted(reply, 'the repeated deposit');
    assertEqual(reply.json?.status, 'complete', 'the status in the answer');
  }),
  extension('X4', 'Duplicate keys, half surrogates and lossy numbers are refused', async (trial) => {
    const whole = JSON.stringify(trial.aPackage({ description: 'd', 'x-n': 1 }));
    for (const text of [
      whole.replace('"description":"d"', '"description":"d","description":"e"'),
      whole.replace('"description":"d"', '"description":"\\ud800"'),
      whole.replace('"x-n":1', '"x-n":123456789012345678901'),
      whole.replace('"x-n":1', '"x-n":1e400'),
    ]) {
      const reply = await trial.target.send('POST', `${projectPath(trial.project)}/packages`, text);
      assertEqual(reply.status, 400, 'the status');
    }
  }),
  extension('X5', 'Defaults are not written into a package', async (trial) => {
    const { json, body } = await trial.readBack();
    assertEqual(Object.keys(json).sort(), Object.keys(body).sort(), 'the members');
  }),
  extension('X6', 'Changes can be followed from any sequence number', async (trial) => {
    const project_id = trial.projectNamed('feed');
    await trial.deposited({ project_id });
    const changes = async (since: string) => {
      const reply = await trial.getIn(project_id, `/changes?types=package.deposited${since}`);
      if (reply.status === 404) throw new Skip('no changes');
      return reply.json as { changes: { seq: number; ids: { package_id: string } }[]; next: number };
    };
    const first = await changes('');
    const second = await trial.deposited({ project_id });
    const more = await changes(`&since=${first.next}`);
    const changed = more.changes.map((one) => one.ids.package_id);
    assertEqual(changed, [second.package_id], 'the changes since');
    assert((more.changes[0]?.seq ?? 0) > first.next, 'the numbers do not grow');
  }),
  extension('X7', 'A fact can be set on condition of its present value', async (trial) => {
    const fact = (value: string, more = {}) => ({ subject: 'lock', predicate: 'holder', value, ...more });
    const racers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((value) => trial.assert(fact(value, { expected_value: null }))),
    );
    assertEqual(racers.filter((reply) => reply.status < 300).length, 1, 'winners');
    const losers = racers.filter((reply) => reply.status >= 300);
    assert(
      losers.every(({ status }) => [409, 412].includes(status)),
      'a loser got neither 409 nor 412',
    );
  }),
  extension('X8', 'Forged, stale and mistyped signatures are refused', async (trial) => {
    const body = trial.aPackage();
    const bodyHash = (await trial.deposit(body)).headers.get('relay-body-hash');
    if (bodyHash === null) throw new Skip('no Relay-Body-Hash');
    const signer = createSigner();
    const actor = trial.other ? { id: trial.freshId('signer'), type: 'agent' } : trial.actor;
    const statement = statementAbout(body.package_id, bodyHash, actor);
    const attest = (envelope: unknown) =>
      trial.target.send('POST', packagePath(body.package_id, 'attestations'), envelope);
    const whole = signer.sign(statement);
    const [signature] = whole.signatures as object[];
    const forged = await attest({ ...whole, signatures: [{ ...signature, sig: 'AAAA' }] });
    if (forged.status === 404) throw new Skip('no attestations');
    assertEqual(forged.status, 400, 'the status of a forged signature');
    const stale = signer.sign(statementAbout(body.package_id, `sha256:${'0'.repeat(64)}`, actor));
    assertEqual((await attest(stale)).status, 400, 'the status of a signature over another hash');
    const confused = { ...signer.sign(statement, 'text/plain'), payloadType: whole.payloadType };
    assertEqual((await attest(confused)).status, 400, 'the status of a signature over another type');
    assertAccepted(await attest(whole), 'a sound signature');
    const listed = await trial.get(packagePath(body.package_id, 'attestations'));
    assertEqual(listOf(listed, 'attestations')[0]?.valid, true, 'the signature as listed');
    const thief = createSigner().sign(statement);
    assertEqual((await attest(thief)).status, 400, 'the status of another key for the same actor');
  }),
  extension('X9', 'A redacted package leaves a tombstone and its place in the lineage', async (trial) => {
    const body = await trial.deposited({ description: 'to be forgotten' });
    const child = await trial.deposited({ parent_package_id: body.package_id });
    const done = await trial.target.send('POST', packagePath(body.package_id, 'redact'), {
      reason: 'conformance',
    });
    if (done.status === 404 || done.status === 403) throw new Skip('no redaction with this credential');
    assertError(await trial.read(body.package_id), 410, 'package_redacted');
    const lineage = await trial.get(packagePath(child.package_id, 'lineage'));
    assert(lineage.text.includes(body.package_id), 'the lineage has lost it');
    assert(!lineage.text.includes('to be forgotten'), 'the content is still there');
  }),
  extension('X10', 'Heads, optimistic deposits and merges', async (trial) => {
    const project_id = trial.projectNamed('heads');
    const root = await trial.deposited({ project_id });
    const build = (more: Record<string, unknown>, headers = {}) =>
      trial.deposit(trial.aPackage({ project_id, parent_package_id: root.package_id, ...more }), headers);
    const left = await build({}, { 'relay-if-head': root.package_id });
    assertAccepted(left, 'a deposit on a head');
    assertError(await build({}, { 'relay-if-head': root.package_id }), 409, 'head_moved');
    const right = await build({});
    const parents = [left.json.package_id, right.json.package_id];
    const merge = await build({ parent_package_id: parents[0], 'x-parents': parents });
    const heads = listOf(await trial.getIn(project_id, '/heads'), 'packages').map((one) => one.package_id);
    assertEqual(heads, [merge.json.package_id], 'the heads after the merge');
  }),
  extension('X11', 'A reference to an unreadable package says only that', async (trial) => {
    const target = { rel: 'cites', project_id: trial.projectNamed('nowhere'), package_id: 'nothing' };
    const body = await trial.deposited({ 'x-refs': [target] });
    const reply = await trial.get(packagePath(body.package_id, 'refs'));
    if (reply.status === 404) throw new Skip('no references');
    assertEqual(listOf(reply, 'refs')[0]?.state, 'unavailable', 'the state');
  }),
  extension('X13', 'An id that two projects use is ambiguous', async (trial) => {
    const package_id = trial.freshId();
    await trial.deposited({ package_id, project_id: trial.projectNamed('one') });
    await trial.deposited({ package_id, project_id: trial.projectNamed('two') });
    assertError(await trial.get(packagePath(package_id)), 409, 'ambiguous_package_id');
  }),
  extension('X14', 'Packages are ordered by instant, however it is written', async (trial) => {
    const project_id = trial.projectNamed('instants');
    const ids: string[] = [];
    for (const end of ['Z', '.5+00:00', '.500001z']) {
      const body = await trial.deposited({ project_id, created_at: `2026-01-01T00:00:00${end}` });
      ids.unshift(body.package_id);
    }
    const listed = (await trial.packages(project_id)).map((one) => one.package_id);
    assertEqual(listed, ids, 'the order');
  }),
  extension('X15', 'Orientation keeps to a budget', async (trial) => {
    const project_id = trial.projectNamed('budget');
    for (let i = 0; i < 8; i += 1) await trial.deposited({ project_id, description: 'x'.repeat(2000) });
    const reply = await trial.getIn(project_id, '/orient?max_tokens=1000');
    assert(reply.text.length <= 4000, `${reply.text.length} bytes for 1000 tokens`);
  }),
  extension('X17', 'A claimed hash is checked', async (trial) => {
    const body = trial.aPackage();
    const wrong = await trial.deposit(body, { 'relay-content-hash': `sha256:${'0'.repeat(64)}` });
    assertError(wrong, 400, 'hash_mismatch');
    const right = await trial.deposit(body);
    assert(hashIn(right) !== undefined, 'no hash');
  }),
];
