/** What goes beyond the protocol and is reported apart: a server without it loses no level. */
import { canonicalJcs } from '../../../../../src/kernel/json/canonical/jcs.ts';
import { nodeHasher } from '../../../../../src/platform/index.ts';
import { createSigner, statementAbout } from '../attestation.ts';
import { type Check, demand, demandEqual, Skip } from '../check.ts';
import { demandError, hashIn, listOf, said, type Trial } from '../trial.ts';

const path = (id: string, verb: string) => `/v1/packages/${encodeURIComponent(id)}/${verb}`;

async function reviewed(trial: Trial): Promise<Record<string, string>> {
  const body = await trial.deposited({
    status: 'awaiting_review',
    review_type: 'agent',
    created_by: { ...(trial.other ?? trial.actor) },
  });
  const reply = await trial.target.send('POST', path(body.package_id, 'review'), { verdict: 'approve' });
  if (reply.status >= 300) throw new Skip(`no review: ${said(reply)}`);
  return body;
}

const extension = (id: string, title: string, run: Check['run']): Check => ({
  id,
  level: 'L3',
  weight: 'EXT',
  section: 'ext',
  title,
  run,
});

export const extensionChecks: readonly Check[] = [
  extension('X1', 'The review log is chained by hashes', async (trial) => {
    const body = await reviewed(trial);
    const reply = await trial.target.get(path(String(body.package_id), 'reviews'));
    const entries = listOf(reply, 'entries');
    demand(entries.length > 0, 'the log is empty');
    let previous: string | null = null;
    // What a reviewer wrote can be destroyed without breaking the log: only its hash is part of it.
    for (const { entry_hash, note: _, note_salt: __, ...entry } of entries) {
      demandEqual(entry.previous_entry_hash, previous, 'the entry before');
      demandEqual(entry_hash, `sha256:${nodeHasher.hex(canonicalJcs(entry))}`, 'the hash of an entry');
      previous = entry_hash;
    }
  }),
  extension('X2', 'The body hash stays the same through a review', async (trial) => {
    const body = trial.aPackage({ status: 'draft' });
    const before = (await trial.deposit(body)).headers.get('relay-body-hash');
    if (before === null) throw new Skip('no Relay-Body-Hash');
    const after = await trial.target.send('POST', path(body.package_id, 'flag'), { review_type: 'agent' });
    demandEqual(after.headers.get('relay-body-hash'), before, 'the body hash');
  }),
  extension('X3', 'A deposit can be repeated after its approval', async (trial) => {
    const body = await reviewed(trial);
    const reply = await trial.deposit(body);
    demand(reply.status < 300, `refused: ${said(reply)}`);
    demandEqual(reply.json?.status, 'complete', 'the status in the answer');
  }),
  extension('X4', 'Duplicate keys, half surrogates and lossy numbers are refused', async (trial) => {
    const whole = JSON.stringify(trial.aPackage({ description: 'd', 'x-n': 1 }));
    for (const text of [
      whole.replace('"description":"d"', '"description":"d","description":"e"'),
      whole.replace('"description":"d"', '"description":"\\ud800"'),
      whole.replace('"x-n":1', '"x-n":123456789012345678901'),
      whole.replace('"x-n":1', '"x-n":1e400'),
    ]) {
      const reply = await trial.target.send('POST', `${trial.projectPath(trial.project)}/packages`, text);
      demandEqual(reply.status, 400, 'the status');
    }
  }),
  extension('X5', 'Defaults are not written into a package', async (trial) => {
    const body = await trial.deposited();
    const { json } = await trial.read(body.package_id);
    demandEqual(Object.keys(json).sort(), Object.keys(body).sort(), 'the members');
  }),
  extension('X6', 'Changes can be followed from any number on', async (trial) => {
    const project_id = trial.projectNamed('feed');
    await trial.deposited({ project_id });
    const changes = async (since: string) => {
      const reply = await trial.target.get(
        `${trial.projectPath(project_id)}/changes?types=package.deposited${since}`,
      );
      if (reply.status === 404) throw new Skip('no changes');
      return reply.json as { changes: { seq: number; ids: { package_id: string } }[]; next: number };
    };
    const first = await changes('');
    const second = await trial.deposited({ project_id });
    const more = await changes(`&since=${first.next}`);
    demandEqual(
      more.changes.map((one) => one.ids.package_id),
      [second.package_id],
      'the changes since',
    );
    demand((more.changes[0]?.seq ?? 0) > first.next, 'the numbers do not grow');
  }),
  extension('X7', 'A fact can be set only if it is what one believes', async (trial) => {
    const fact = (value: string, more = {}) => ({ subject: 'lock', predicate: 'holder', value, ...more });
    const racers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((value) => trial.assert(fact(value, { expected_value: null }))),
    );
    demandEqual(racers.filter((reply) => reply.status < 300).length, 1, 'winners');
    demand(
      racers.every((reply) => reply.status < 300 || [409, 412].includes(reply.status)),
      'another status',
    );
  }),
  extension('X8', 'A signature is checked: forged, stale and of another kind are refused', async (trial) => {
    const body = trial.aPackage();
    const bodyHash = (await trial.deposit(body)).headers.get('relay-body-hash');
    if (bodyHash === null) throw new Skip('no Relay-Body-Hash');
    const signer = createSigner();
    const author = { id: trial.freshId('signer'), type: 'agent' };
    const actor = trial.other ? author : trial.actor;
    const statement = statementAbout(body.package_id, bodyHash, actor);
    const attest = (envelope: unknown) =>
      trial.target.send('POST', path(body.package_id, 'attestations'), envelope);
    const whole = signer.sign(statement);
    const forged = await attest({
      ...whole,
      signatures: [{ ...(whole.signatures as object[])[0], sig: 'AAAA' }],
    });
    if (forged.status === 404) throw new Skip('no attestations');
    demandEqual(forged.status, 400, 'the status of a forged signature');
    const stale = signer.sign(statementAbout(body.package_id, `sha256:${'0'.repeat(64)}`, actor));
    demandEqual((await attest(stale)).status, 400, 'the status of a signature over another hash');
    const confused = { ...signer.sign(statement, 'text/plain'), payloadType: whole.payloadType };
    demandEqual((await attest(confused)).status, 400, 'the status of a signature over another type');
    const taken = await attest(whole);
    demand(taken.status < 300, `refused: ${said(taken)}`);
    const listed = await trial.target.get(path(body.package_id, 'attestations'));
    demandEqual(listOf(listed, 'attestations')[0]?.valid, true, 'the signature as listed');
    const thief = createSigner().sign(statement);
    demandEqual((await attest(thief)).status, 400, 'the status of another key for the same actor');
  }),
  extension('X9', 'A redacted package leaves a tombstone and its place in the lineage', async (trial) => {
    const body = await trial.deposited({ description: 'to be forgotten' });
    const child = await trial.deposited({ parent_package_id: body.package_id });
    const done = await trial.target.send('POST', path(body.package_id, 'redact'), { reason: 'conformance' });
    if (done.status === 404 || done.status === 403) throw new Skip('no redaction with this credential');
    demandError(await trial.read(body.package_id), 410, 'package_redacted');
    const lineage = await trial.target.get(path(child.package_id, 'lineage'));
    demand(lineage.text.includes(body.package_id), 'the lineage has lost it');
    demand(!lineage.text.includes('to be forgotten'), 'the content is still there');
  }),
  extension('X10', 'Heads, optimistic deposits and merges', async (trial) => {
    const project_id = trial.projectNamed('heads');
    const root = await trial.deposited({ project_id });
    const build = (more: Record<string, unknown>, headers = {}) =>
      trial.deposit(trial.aPackage({ project_id, parent_package_id: root.package_id, ...more }), headers);
    const left = await build({}, { 'relay-if-head': root.package_id });
    demand(left.status < 300, `refused on a head: ${said(left)}`);
    demandError(await build({}, { 'relay-if-head': root.package_id }), 409, 'head_moved');
    const right = await build({});
    const parents = [left.json.package_id, right.json.package_id];
    const merge = await build({ parent_package_id: parents[0], 'x-parents': parents });
    const heads = listOf(await trial.target.get(`${trial.projectPath(project_id)}/heads`), 'packages');
    demandEqual(
      heads.map((one) => one.package_id),
      [merge.json.package_id],
      'the heads after the merge',
    );
  }),
  extension('X11', 'A reference to what cannot be read says only that', async (trial) => {
    const target = { rel: 'cites', project_id: trial.projectNamed('nowhere'), package_id: 'nothing' };
    const body = await trial.deposited({ 'x-refs': [target] });
    const reply = await trial.target.get(path(body.package_id, 'refs'));
    if (reply.status === 404) throw new Skip('no references');
    demandEqual(listOf(reply, 'refs')[0]?.state, 'unavailable', 'the state');
  }),
  extension('X13', 'An id of two projects is ambiguous', async (trial) => {
    const package_id = trial.freshId();
    await trial.deposited({ package_id, project_id: trial.projectNamed('one') });
    await trial.deposited({ package_id, project_id: trial.projectNamed('two') });
    demandError(await trial.target.get(`/v1/packages/${package_id}`), 409, 'ambiguous_package_id');
  }),
  extension('X14', 'Order is by instant, whatever the form of the time', async (trial) => {
    const project_id = trial.projectNamed('instants');
    const ids: string[] = [];
    for (const created_at of [
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00.5+00:00',
      '2026-01-01T00:00:00.500001z',
    ]) {
      ids.push((await trial.deposited({ project_id, created_at })).package_id);
    }
    const list = listOf(
      await trial.target.get(`${trial.projectPath(project_id)}/packages?mode=latest`),
      'packages',
    );
    demandEqual(
      list.map((one) => one.package_id),
      ids.reverse(),
      'the order',
    );
  }),
  extension('X15', 'Orientation keeps to a budget', async (trial) => {
    const project_id = trial.projectNamed('budget');
    for (let i = 0; i < 8; i += 1) await trial.deposited({ project_id, description: 'x'.repeat(2000) });
    const reply = await trial.target.get(`${trial.projectPath(project_id)}/orient?max_tokens=1000`);
    demand(reply.text.length <= 4000, `${reply.text.length} bytes for 1000 tokens`);
  }),
  extension('X17', 'A claimed hash is checked', async (trial) => {
    const body = trial.aPackage();
    const wrong = await trial.deposit(body, { 'relay-content-hash': `sha256:${'0'.repeat(64)}` });
    demandError(wrong, 400, 'hash_mismatch');
    const right = await trial.deposit(body);
    demand(hashIn(right) !== undefined, 'no hash');
  }),
];
