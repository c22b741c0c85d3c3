import { expect, it } from 'vitest';
import { createSigner, statementAbout } from '../../packages/conformance/src/agentic/attestation.ts';
import { canonicalAgentic } from '../../src/kernel/json/canonical/agentic.ts';
import { readJson } from '../../src/kernel/json/reader.ts';
import { nodeHasher } from '../../src/platform/index.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { runBaton } from '../setup/cli.ts';
import { aPackage, worldOn } from './world.ts';

const ADA = { id: 'ada', type: 'agent' };

function bodyHashOf({ status: _, review_type: __, ...lasting }: Record<string, unknown>): string {
  return `sha256:${nodeHasher.hex(canonicalAgentic(readJson(JSON.stringify(lasting))))}`;
}

describeOnEachEngine('a project that wants signatures', (open) => {
  const world = worldOn(open);
  const signer = createSigner();

  const header = (body: Record<string, unknown>, actor = ADA) => {
    const statement = statementAbout(String(body.package_id), bodyHashOf(body), actor);
    return {
      'relay-attestation': Buffer.from(JSON.stringify(signer.sign(statement))).toString('base64'),
    };
  };

  it('refuses what is not signed and leaves no trace of it; takes it with its signature, in one step', async () => {
    const { send, token } = world();
    const ada = await token('ada', 'agent');
    await send('POST', '/v1/projects', { project_id: 'signed', settings: { require_signature: 'enforce' } });
    const body = aPackage('s1', { project_id: 'signed' });
    const path = '/v1/projects/signed/packages';
    const refused = await send('POST', path, body, { token: ada });
    expect([refused.status, refused.json.error.code]).toEqual([403, 'signature_required']);
    const written = await send('POST', '/v1/packages', { project: 'signed', title: 'x' }, { token: ada });
    expect(written.json.error.code).toBe('signature_required');
    expect((await send('GET', path)).json).toEqual([]);

    const forged = header({ ...body, title: 'Another' });
    const wrong = await send('POST', path, body, { token: ada, headers: forged });
    expect([wrong.json.error.code, wrong.json.error.details.reason]).toEqual([
      'attestation_invalid',
      'other_content',
    ]);
    const foreign = await send('POST', path, body, {
      token: ada,
      headers: header(body, { id: 'bob', type: 'agent' }),
    });
    expect(foreign.json.error.code).toBe('actor_mismatch');
    const garbage = await send('POST', path, body, { token: ada, headers: { 'relay-attestation': '???' } });
    expect(garbage.json.error.details.reason).toBe('no_envelope');
    expect((await send('GET', path)).json).toEqual([]);

    const taken = await send('POST', path, body, { token: ada, headers: header(body) });
    expect([taken.status, taken.headers.get('relay-warning')]).toEqual([201, null]);
    const { attestations } = (await send('GET', '/v1/packages/s1/attestations')).json;
    expect(attestations).toMatchObject([{ actor: ADA, role: 'author', valid: true }]);
    const again = await send('POST', path, body, { token: ada });
    expect(again.status).toBe(200);
  });

  it('only says so where it is set to warn, and nothing where it is off', async () => {
    const { send } = world();
    await send('POST', '/v1/projects', { project_id: 'warned', settings: { require_signature: 'warn' } });
    const warned = await send('POST', '/v1/packages', { project: 'warned', title: 'x' });
    expect([warned.status, warned.headers.get('relay-warning')]).toEqual([201, 'not signed']);
    await send('PATCH', '/v1/projects/warned', { settings: { require_signature: 'off' } });
    const quiet = await send('POST', '/v1/packages', { project: 'warned', title: 'y' });
    expect(quiet.headers.get('relay-warning')).toBe(null);
    const unknown = await send('PATCH', '/v1/projects/warned', { settings: { require_signature: 'maybe' } });
    expect(unknown.status).toBe(400);
  });

  it('is satisfied by `baton deposit --sign`', async () => {
    const { server, send } = world();
    await send('POST', '/v1/projects', { project_id: 'cli', settings: { require_signature: 'enforce' } });
    const deposit = (...more: string[]) =>
      runBaton(['deposit', '--title', 'By hand', '--project', 'cli', '--json', ...more], {
        env: { BATON_URL: server.url, BATON_TOKEN: server.ownerToken, BATON_DATA: server.dataDir },
      });
    expect((await deposit()).stderr).toContain('signature_required');
    const ran = await deposit('--sign', '--review', 'human');
    expect([ran.stderr, ran.code]).toEqual(['', 0]);
    const { package_id, status } = JSON.parse(ran.stdout);
    expect(status).toBe('awaiting_review');
    const { attestations } = (await send('GET', `/v1/packages/${package_id}/attestations`)).json;
    expect(attestations).toMatchObject([{ valid: true, role: 'author' }]);
  });
});
