/** Manifests that a server must refuse, manifests that it must accept, and the endpoints around them. */
import type { LooseRecord } from '../../../../../src/kernel/json/loose.ts';
import { assert, assertEqual } from '../../assertions.ts';
import { ALLOW_ALL } from '../bench.ts';
import { assertRefused, assertStatus, atlas, type ConformanceCase, http } from '../case.ts';

export interface ManifestCase {
  readonly id: string;
  readonly covers: readonly string[];
  /** Members to add to a valid manifest. */
  readonly set?: LooseRecord;
  /** Members to remove from it. */
  readonly without?: readonly string[];
  readonly valid: boolean;
}

type Covers = readonly string[];
const valid = (id: string, covers: Covers, set?: LooseRecord): ManifestCase => ({
  id,
  covers,
  ...(set && { set }),
  valid: true,
});
const invalid = (id: string, covers: Covers, set: LooseRecord): ManifestCase => ({
  id,
  covers,
  set,
  valid: false,
});
const lacking = (id: string, covers: Covers, member: string): ManifestCase => ({
  id,
  covers,
  without: [member],
  valid: false,
});

const action = (actionId: unknown, parts: LooseRecord = {}) => ({
  actions: [{ action_id: actionId, name: 'n', description: 'd', ...parts }],
});
const policy = (parts: LooseRecord) => ({ policies: [{ policy_id: 'p', type: 'deny', ...parts }] });
const pack = (parts: LooseRecord) => ({ context_packs: [{ pack_id: 'p', name: 'n', ...parts }] });

export const manifestCases: readonly ManifestCase[] = [
  valid('minimal', ['R65']),
  invalid('atlas_version_other', ['R65'], { atlas_version: '2.0' }),
  lacking('atlas_version_missing', ['R65'], 'atlas_version'),
  lacking('id_missing', ['R65', 'R71'], 'atlas_id'),
  invalid('id_one_segment', ['R71'], { atlas_id: 'conformance' }),
  invalid('id_upper_case', ['R71'], { atlas_id: 'Com.example.a' }),
  invalid('id_hyphen_first', ['R71'], { atlas_id: 'my-org.a' }),
  invalid('id_underscore', ['R71'], { atlas_id: 'com.my_atlas' }),
  invalid('id_line_end', ['R71'], { atlas_id: 'com.example.a\n' }),
  lacking('version_missing', ['R65'], 'version'),
  invalid('version_two_parts', ['R65'], { version: '1.0' }),
  invalid('version_leading_zero', ['R65'], { version: '01.0.0' }),
  valid('version_prerelease', ['R65', 'R79'], { version: '1.0.0-rc.1+build.5' }),
  lacking('name_missing', ['R65'], 'name'),
  invalid('name_empty', ['R65'], { name: '' }),
  invalid('name_too_long', ['R65'], { name: 'n'.repeat(101) }),
  lacking('description_missing', ['R65'], 'description'),
  invalid('description_too_long', ['R65'], { description: 'd'.repeat(1001) }),
  invalid('unknown_member', ['R97'], { color: 'red' }),
  invalid('authors_text', ['R65'], { authors: 'me' }),
  valid('domains', ['R65'], { domains: ['testing'], authors: ['a'], license: 'MIT' }),
  invalid('action_one_segment', ['R72'], action('ticket')),
  invalid('action_underscore', ['R72'], action('ticket.get_all')),
  invalid('action_hyphen', ['R72'], action('ticket.get-all')),
  invalid('action_upper_case', ['R72'], action('Ticket.get')),
  invalid('action_digit_first', ['R72'], action('ticket.2x')),
  invalid('action_empty_segment', ['R72'], action('ticket..get')),
  invalid('action_without_name', ['R69'], { actions: [{ action_id: 'a.b', description: 'd' }] }),
  invalid('action_tier_unknown', ['R69'], action('zz.tier', { risk_tier: 'huge' })),
  invalid('action_timeout_too_long', ['R69'], action('zz.time', { timeout_seconds: 301 })),
  invalid('action_unknown_member', ['R69', 'R97'], action('zz.more', { speed: 1 })),
  invalid('policy_type_unknown', ['R68'], policy({ type: 'permit' })),
  invalid('policy_without_id', ['R68'], { policies: [{ type: 'deny' }] }),
  invalid('policy_actions_text', ['R68'], policy({ actions: '*' })),
  invalid('policy_condition_unknown', ['R68'], policy({ conditions: { risk_tier: 'high' } })),
  valid(
    'policy_time_window',
    ['R68'],
    policy({
      conditions: {
        time_window: { start: '22:00:00', end: '06:00:00', timezone: 'Europe/Berlin', days: ['fri'] },
      },
    }),
  ),
  invalid('policy_day_unknown', ['R68'], policy({ conditions: { time_window: { days: ['friday'] } } })),
  invalid('pack_priority_too_high', ['R67'], pack({ files: [], priority: 1001 })),
  invalid('pack_without_files', ['R67'], pack({})),
  valid('pack_missing_file', ['R67'], pack({ files: ['context/gone.md'] })),
  invalid('capability_id_hyphen', ['R66'], { capabilities: [{ capability_id: 'read-all', name: 'n' }] }),
  invalid('dependencies_array', ['R70'], { dependencies: ['com.example.a'] }),
  valid('metadata_open', ['R97'], { metadata: { anything: [1, { b: null }] } }),
];

export const atlasConformance: readonly ConformanceCase[] = [
  ...manifestCases.map((each) =>
    atlas(`atlas.manifest.${each.id}`, each.covers, async (bench) => {
      if (each.valid) {
        assertStatus(await bench.load(each.set), 201);
        bench.fits('atlas-manifest', (await bench.send('GET', `/v1/atlases/${bench.atlasId}`)).json);
        return;
      }
      const manifest: Record<string, unknown> = { ...bench.manifest(), ...each.set };
      for (const member of each.without ?? []) delete manifest[member];
      assertStatus(await bench.send('POST', '/v1/atlases', manifest), 400);
    }),
  ),
  http('atlas.http.summary', ['R92'], async (bench) => {
    await bench.loadRules([], ['a.get', 'a.put']);
    const { json } = await bench.send('GET', '/v1/atlases');
    const list = Array.isArray(json) ? json : json?.items;
    const own = list?.find((one: LooseRecord) => one.atlas_id === bench.atlasId);
    assert(own !== undefined, 'the loaded Atlas is not listed', json);
    assertEqual([own.version, own.name], ['1.0.0', 'Conformance'], 'summary');
  }),
  http('atlas.http.manifest', ['R93'], async (bench) => {
    await bench.loadRules([{ policy_id: 'p', type: 'allow' }], ['a.get']);
    const { status, json } = await bench.send('GET', `/v1/atlases/${bench.atlasId}`);
    const found = [status, json?.atlas_id, json?.policies?.[0]?.policy_id];
    assertEqual(found, [200, bench.atlasId, 'p'], 'manifest');
  }),
  http('atlas.http.unknown', ['R93'], async (bench) => {
    for (const method of ['GET', 'DELETE'])
      assertStatus(await bench.send(method, `/v1/atlases/${bench.atlasId}`), 404, method);
  }),
  http('atlas.http.loaded_twice', ['R92'], async (bench) => {
    await bench.loadRules([], ['a.get']);
    const again = await bench.load({ actions: bench.actions(['a.get']), policies: [] });
    assertRefused(again, 409, 'ATLAS_ALREADY_LOADED');
  }),
  http('atlas.http.unload_ends_rules', ['R106'], async (bench) => {
    await bench.loadRules([ALLOW_ALL], ['a.get']);
    const session = await bench.start();
    assertStatus(await bench.send('DELETE', `/v1/atlases/${bench.atlasId}`), 204, 'unload');
    assertRefused(await bench.ask(session), 404, 'ATLAS_NOT_FOUND');
  }),
  atlas('atlas.context.missing_file', ['R15', 'R67'], async (bench) => {
    await bench.loadRules([ALLOW_ALL], ['a.get'], pack({ files: ['context/gone.md'] }));
    assertEqual((await bench.resolve(await bench.start())).context_blocks, [], 'context_blocks');
  }),
];
