/** Manifests that a server must refuse, and ones it must take; and the endpoints around them. */
import type { Doc } from '../bench.ts';
import { type ConformanceCase, expectSame, expectThat } from '../case.ts';

export interface ManifestCase {
  readonly id: string;
  readonly covers: readonly string[];
  readonly set?: Doc;
  readonly without?: readonly string[];
  readonly valid: boolean;
}

const action = (actionId: unknown, parts: Doc = {}) => ({
  actions: [{ action_id: actionId, name: 'n', description: 'd', ...parts }],
});
const policy = (parts: Doc) => ({ policies: [{ policy_id: 'p', type: 'deny', ...parts }] });

export const manifestCases: readonly ManifestCase[] = [
  { id: 'minimal', covers: ['R65'], valid: true },
  { id: 'atlas_version_other', covers: ['R65'], set: { atlas_version: '2.0' }, valid: false },
  { id: 'atlas_version_missing', covers: ['R65'], without: ['atlas_version'], valid: false },
  { id: 'id_missing', covers: ['R65', 'R71'], without: ['atlas_id'], valid: false },
  { id: 'id_one_segment', covers: ['R71'], set: { atlas_id: 'conformance' }, valid: false },
  { id: 'id_upper_case', covers: ['R71'], set: { atlas_id: 'Com.example.a' }, valid: false },
  { id: 'id_hyphen_first', covers: ['R71'], set: { atlas_id: 'my-org.a' }, valid: false },
  { id: 'id_underscore', covers: ['R71'], set: { atlas_id: 'com.my_atlas' }, valid: false },
  { id: 'id_line_end', covers: ['R71'], set: { atlas_id: 'com.example.a\n' }, valid: false },
  { id: 'version_missing', covers: ['R65'], without: ['version'], valid: false },
  { id: 'version_two_parts', covers: ['R65'], set: { version: '1.0' }, valid: false },
  { id: 'version_leading_zero', covers: ['R65'], set: { version: '01.0.0' }, valid: false },
  { id: 'version_prerelease', covers: ['R65', 'R79'], set: { version: '1.0.0-rc.1+build.5' }, valid: true },
  { id: 'name_missing', covers: ['R65'], without: ['name'], valid: false },
  { id: 'name_empty', covers: ['R65'], set: { name: '' }, valid: false },
  { id: 'name_too_long', covers: ['R65'], set: { name: 'n'.repeat(101) }, valid: false },
  { id: 'description_missing', covers: ['R65'], without: ['description'], valid: false },
  { id: 'description_too_long', covers: ['R65'], set: { description: 'd'.repeat(1001) }, valid: false },
  { id: 'unknown_member', covers: ['R97'], set: { color: 'red' }, valid: false },
  { id: 'authors_text', covers: ['R65'], set: { authors: 'me' }, valid: false },
  {
    id: 'domains',
    covers: ['R65'],
    set: { domains: ['testing'], authors: ['a'], license: 'MIT' },
    valid: true,
  },
  { id: 'action_one_segment', covers: ['R72'], set: action('ticket'), valid: false },
  { id: 'action_underscore', covers: ['R72'], set: action('ticket.get_all'), valid: false },
  { id: 'action_hyphen', covers: ['R72'], set: action('ticket.get-all'), valid: false },
  { id: 'action_upper_case', covers: ['R72'], set: action('Ticket.get'), valid: false },
  { id: 'action_digit_first', covers: ['R72'], set: action('ticket.2x'), valid: false },
  { id: 'action_empty_segment', covers: ['R72'], set: action('ticket..get'), valid: false },
  {
    id: 'action_without_name',
    covers: ['R69'],
    set: { actions: [{ action_id: 'a.b', description: 'd' }] },
    valid: false,
  },
  { id: 'action_tier_unknown', covers: ['R69'], set: action('zz.tier', { risk_tier: 'huge' }), valid: false },
  {
    id: 'action_timeout_too_long',
    covers: ['R69'],
    set: action('zz.time', { timeout_seconds: 301 }),
    valid: false,
  },
  { id: 'action_unknown_member', covers: ['R69', 'R97'], set: action('zz.more', { speed: 1 }), valid: false },
  { id: 'policy_type_unknown', covers: ['R68'], set: policy({ type: 'permit' }), valid: false },
  { id: 'policy_without_id', covers: ['R68'], set: { policies: [{ type: 'deny' }] }, valid: false },
  { id: 'policy_actions_text', covers: ['R68'], set: policy({ actions: '*' }), valid: false },
  {
    id: 'policy_condition_unknown',
    covers: ['R68'],
    set: policy({ conditions: { risk_tier: 'high' } }),
    valid: false,
  },
  {
    id: 'policy_time_window',
    covers: ['R68'],
    set: policy({
      conditions: {
        time_window: { start: '22:00:00', end: '06:00:00', timezone: 'Europe/Berlin', days: ['fri'] },
      },
    }),
    valid: true,
  },
  {
    id: 'policy_day_unknown',
    covers: ['R68'],
    set: policy({ conditions: { time_window: { days: ['friday'] } } }),
    valid: false,
  },
  {
    id: 'pack_priority_too_high',
    covers: ['R67'],
    set: { context_packs: [{ pack_id: 'p', name: 'n', files: [], priority: 1001 }] },
    valid: false,
  },
  {
    id: 'pack_without_files',
    covers: ['R67'],
    set: { context_packs: [{ pack_id: 'p', name: 'n' }] },
    valid: false,
  },
  {
    id: 'pack_missing_file',
    covers: ['R67'],
    set: { context_packs: [{ pack_id: 'p', name: 'n', files: ['context/gone.md'] }] },
    valid: true,
  },
  {
    id: 'capability_id_hyphen',
    covers: ['R66'],
    set: { capabilities: [{ capability_id: 'read-all', name: 'n' }] },
    valid: false,
  },
  { id: 'dependencies_array', covers: ['R70'], set: { dependencies: ['com.example.a'] }, valid: false },
  { id: 'metadata_open', covers: ['R97'], set: { metadata: { anything: [1, { b: null }] } }, valid: true },
];

export const atlasConformance: readonly ConformanceCase[] = [
  ...manifestCases.map(
    (each): ConformanceCase => ({
      id: `atlas.manifest.${each.id}`,
      covers: each.covers,
      area: 'Atlas-Core',
      async run(bench) {
        const manifest: Record<string, unknown> = { ...bench.manifest(), ...each.set };
        for (const member of each.without ?? []) delete manifest[member];
        if (each.valid) {
          const reply = await bench.load(each.set ?? {});
          expectThat(reply.status === 201, `answered ${reply.status}, expected 201`, reply.body);
          const read = await bench.send('GET', `/v1/atlases/${bench.atlasId}`);
          bench.fits('atlas-manifest', read.body);
          return;
        }
        const reply = await bench.send('POST', '/v1/atlases', manifest);
        expectThat(reply.status === 400, `answered ${reply.status}, expected 400`, reply.body);
      },
    }),
  ),
  {
    id: 'atlas.http.summary',
    covers: ['R92'],
    area: 'HTTP',
    async run(bench) {
      await bench.loadRules([], ['a.get', 'a.put']);
      const reply = await bench.send('GET', '/v1/atlases');
      const list = Array.isArray(reply.body) ? reply.body : reply.body?.items;
      const own = list?.find((one: Doc) => one.atlas_id === bench.atlasId);
      expectThat(own !== undefined, 'the loaded Atlas is not listed', reply.body);
      expectSame([own.version, own.name], ['1.0.0', 'Conformance'], 'summary');
    },
  },
  {
    id: 'atlas.http.manifest',
    covers: ['R93'],
    area: 'HTTP',
    async run(bench) {
      await bench.loadRules([{ policy_id: 'p', type: 'allow' }], ['a.get']);
      const { status, body } = await bench.send('GET', `/v1/atlases/${bench.atlasId}`);
      expectSame(
        [status, body?.atlas_id, body?.policies?.[0]?.policy_id],
        [200, bench.atlasId, 'p'],
        'manifest',
      );
    },
  },
  {
    id: 'atlas.http.unknown',
    covers: ['R93'],
    area: 'HTTP',
    async run(bench) {
      expectSame((await bench.send('GET', `/v1/atlases/${bench.atlasId}`)).status, 404, 'status');
      expectSame((await bench.send('DELETE', `/v1/atlases/${bench.atlasId}`)).status, 404, 'status');
    },
  },
  {
    id: 'atlas.http.loaded_twice',
    covers: ['R92'],
    area: 'HTTP',
    async run(bench) {
      await bench.loadRules([], ['a.get']);
      const { status, body } = await bench.load({ actions: bench.actions(['a.get']), policies: [] });
      expectSame([status, body?.error?.code], [409, 'ATLAS_ALREADY_LOADED'], 'second load');
    },
  },
  {
    id: 'atlas.http.unload_ends_rules',
    covers: ['R106'],
    area: 'HTTP',
    async run(bench) {
      await bench.loadRules([{ policy_id: 'all', type: 'allow' }], ['a.get']);
      const session = await bench.start();
      expectSame((await bench.send('DELETE', `/v1/atlases/${bench.atlasId}`)).status, 204, 'unload');
      const { status, body } = await bench.ask(session);
      expectSame([status, body?.error?.code], [404, 'ATLAS_NOT_FOUND'], 'resolve after unload');
    },
  },
  {
    id: 'atlas.context.missing_file',
    covers: ['R15', 'R67'],
    area: 'Atlas-Core',
    async run(bench) {
      await bench.loadRules([{ policy_id: 'all', type: 'allow' }], ['a.get'], {
        context_packs: [{ pack_id: 'p', name: 'n', files: ['context/gone.md'] }],
      });
      expectSame((await bench.resolve(await bench.start())).context_blocks, [], 'context_blocks');
    },
  },
];
