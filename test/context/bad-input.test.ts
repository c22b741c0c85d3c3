import { beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { aPackage, type Reply, worldOn } from './world.ts';

const PACKAGES = '/v1/projects/p/packages';
const FACTS = '/v1/projects/p/facts';
const fact = (more: object) => ({ subject: 's', predicate: 'is', value: 'v', ...more });
const spliced = (text: string) => JSON.stringify(aPackage('bad', { 'x-n': '§' })).replace('"§"', text);
const nested = `${'['.repeat(64)}${']'.repeat(64)}`;

type Row = readonly [
  what: string,
  method: string,
  path: string,
  body: unknown,
  status: number,
  code: string,
  pointer?: string,
];

const MALFORMED: readonly Row[] = [
  ['JSON that ends early', 'POST', PACKAGES, '{"package_id":', 400, 'invalid_schema'],
  ['no body', 'POST', PACKAGES, '', 400, 'invalid_schema'],
  ['a list', 'POST', PACKAGES, '[]', 400, 'invalid_schema'],
  ['a duplicate key', 'POST', PACKAGES, spliced('1,"title":"again"'), 400, 'invalid_schema', '/title'],
  [
    'a duplicate key deep inside',
    'POST',
    PACKAGES,
    spliced('{"a":1,"a":2}'),
    400,
    'invalid_schema',
    '/x-n/a',
  ],
  ['an integer beyond 2^53', 'POST', PACKAGES, spliced('9007199254740993'), 400, 'invalid_schema', '/x-n'],
  ['a number beyond doubles', 'POST', PACKAGES, spliced('1e400'), 400, 'invalid_schema', '/x-n'],
  ['half a surrogate', 'POST', PACKAGES, spliced('"\\ud800"'), 400, 'invalid_schema', '/x-n'],
  ['nesting beyond 64', 'POST', PACKAGES, spliced(nested), 400, 'invalid_schema'],
  ['a body over the limit', 'POST', PACKAGES, spliced(`"${'x'.repeat(5_000_000)}"`), 413, 'body_too_large'],
];

const MISFITS: readonly Row[] = [
  ...[
    'package_id',
    'relay_version',
    'title',
    'status',
    'package_type',
    'review_type',
    'created_at',
    'created_by',
  ].map(
    (name): Row => [
      `no ${name}`,
      'POST',
      PACKAGES,
      aPackage('bad', { [name]: undefined }),
      400,
      'invalid_schema',
      `/${name}`,
    ],
  ),
  [
    'another relay_version',
    'POST',
    PACKAGES,
    aPackage('bad', { relay_version: '0.2' }),
    400,
    'invalid_schema',
    '/relay_version',
  ],
  [
    'an unknown status',
    'POST',
    PACKAGES,
    aPackage('bad', { status: 'done' }),
    400,
    'invalid_schema',
    '/status',
  ],
  [
    'a status in capitals',
    'POST',
    PACKAGES,
    aPackage('bad', { status: 'Complete' }),
    400,
    'invalid_schema',
    '/status',
  ],
  [
    'an unknown package_type',
    'POST',
    PACKAGES,
    aPackage('bad', { package_type: 'memo' }),
    400,
    'invalid_schema',
    '/package_type',
  ],
  [
    'an unknown review_type',
    'POST',
    PACKAGES,
    aPackage('bad', { review_type: 'script' }),
    400,
    'invalid_schema',
    '/review_type',
  ],
  [
    'an unknown kind of actor',
    'POST',
    PACKAGES,
    aPackage('bad', { created_by: { id: 'a', type: 'robot' } }),
    400,
    'invalid_schema',
    '/created_by/type',
  ],
  [
    'a time that is not UTC',
    'POST',
    PACKAGES,
    aPackage('bad', { created_at: '2026-01-01T00:00:00+02:00' }),
    400,
    'invalid_schema',
    '/created_at',
  ],
  [
    'a significance of 11',
    'POST',
    PACKAGES,
    aPackage('bad', { significance: 11 }),
    400,
    'invalid_schema',
    '/significance',
  ],
  [
    'a script as next actor',
    'POST',
    PACKAGES,
    aPackage('bad', { estimated_next_actor: 'script' }),
    400,
    'invalid_schema',
    '/estimated_next_actor',
  ],
  [
    'a deliverable without type',
    'POST',
    PACKAGES,
    aPackage('bad', { deliverables: [{ path: 'a' }] }),
    400,
    'invalid_schema',
    '/deliverables/0/type',
  ],
  [
    'a package of another project',
    'POST',
    PACKAGES,
    aPackage('bad', { project_id: 'q' }),
    400,
    'invalid_schema',
    '/project_id',
  ],
  [
    'itself as parent',
    'POST',
    PACKAGES,
    aPackage('bad', { parent_package_id: 'bad' }),
    400,
    'invalid_schema',
    '/parent_package_id',
  ],
  [
    'a review by nobody',
    'POST',
    PACKAGES,
    aPackage('bad', { status: 'awaiting_review' }),
    400,
    'invalid_schema',
    '/review_type',
  ],
  ['a fact with a number', 'POST', FACTS, fact({ value: 1 }), 400, 'invalid_schema', '/value'],
  ['a fact without subject', 'POST', FACTS, fact({ subject: '' }), 400, 'invalid_schema', '/subject'],
  [
    'a fact too sure of itself',
    'POST',
    FACTS,
    fact({ confidence: 1.1 }),
    400,
    'invalid_schema',
    '/confidence',
  ],
  [
    'a fact of tomorrow',
    'POST',
    FACTS,
    fact({ valid_from: '2999-01-01T00:00:00Z' }),
    400,
    'invalid_schema',
    '/valid_from',
  ],
  [
    'a fact of an unknown package',
    'POST',
    FACTS,
    fact({ source_package_id: 'none' }),
    400,
    'invalid_schema',
    '/source_package_id',
  ],
  [
    'an unknown kind of reviewer',
    'POST',
    '/v1/packages/good/flag',
    { review_type: 'none' },
    400,
    'invalid_schema',
    '/review_type',
  ],
  ['a limit that is no number', 'GET', `${PACKAGES}?limit=many`, undefined, 400, 'invalid_schema', '/limit'],
  ['a day that is none', 'GET', `${FACTS}?as_of=yesterday`, undefined, 400, 'invalid_schema', '/as_of'],
  ['a cursor of nobody', 'GET', `${PACKAGES}?cursor=zzz`, undefined, 400, 'invalid_cursor'],
  ['a package that is not there', 'GET', '/v1/packages/none', undefined, 404, 'package_not_found'],
  ['a project that is not there', 'POST', '/v1/projects/none/facts', fact({}), 404, 'project_not_found'],
  [
    'a project that is not there to read',
    'GET',
    '/v1/projects/none/orient',
    undefined,
    404,
    'project_not_found',
  ],
];

describeOnEachEngine('bad input', (open) => {
  const world = worldOn(open);
  let before: string;

  /** Everything that any of the rows could have written. */
  async function everything(): Promise<string> {
    const { send } = world();
    const seen = [];
    for (const path of [
      `${PACKAGES}?limit=200`,
      `${FACTS}?history=1`,
      '/v1/projects',
      '/v1/projects/p/changes',
    ])
      seen.push((await send('GET', path)).text);
    return seen.join('\n');
  }

  beforeAll(async () => {
    await world().send('POST', PACKAGES, aPackage('good'));
    before = await everything();
  });

  function checkRefusal({ status, json }: Reply, row: Row): void {
    const [, , , , expectedStatus, code, pointer] = row;
    const { error } = json;
    expect([status, error.code]).toEqual([expectedStatus, code]);
    if (pointer !== undefined) expect(error.pointer ?? error.details?.pointer).toBe(pointer);
    expect(error.message).toMatch(/^.{8,}[.?]$/s);
    expect(error.next).toMatch(/^.{8,}[.]$/s);
  }

  describe.each([
    ['is no document', MALFORMED],
    ['does not fit the protocol', MISFITS],
  ])('that %s', (_, rows) => {
    it.each(rows.map((row) => [row[0], row] as const))(
      '(%s) is refused with its code, place and a sentence, and writes nothing',
      async (__, row) => {
        const [, method, path, body] = row;
        checkRefusal(await world().send(method, path, body), row);
        expect(await everything()).toBe(before);
      },
    );
  });
});
