import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHasher } from '../../../../platform/node-hasher.ts';
import { selectContext } from '../../resolution/rules/context-blocks.ts';
import { actionOf, manifestOf, testAtlas } from '../../testing/manifest.ts';
import { formatAtlasReference, formatCraReference, parseAtlasReference, parseCraReference } from './atlas.ts';
import { pathProblem, takeInlineFiles, withInlineFiles } from './context-files.ts';
import { lockDrift, readLock, resolveDependencies, writeLock } from './dependencies.ts';
import { emitTools, toolNames } from './emit-tools.ts';
import { lintManifest } from './lint.ts';
import { mergeParts, parseManifest } from './parse.ts';

describe('lint', () => {
  it('names every fault with its code and place', () => {
    const findings = lintManifest(
      manifestOf({
        actions: [actionOf('a.b'), actionOf('a.b'), actionOf('c.d', { rate_limit: { max_calls: 1 } })],
        policies: [
          { policy_id: 'p', type: 'rate_limit', parameters: { max_calls: 0 } },
          {
            policy_id: 'p',
            type: 'deny',
            actions: ['zzz.*'],
            conditions: { time_window: { timezone: 'Mars/Base' } },
          },
          { policy_id: 'w', type: 'deny', parameters: { when: { x: { like: 1 } } } },
        ],
        capabilities: [{ capability_id: 'c', name: 'c', actions: ['gone.away'] }],
        context_packs: [{ pack_id: 'k', name: 'k', files: ['../secret.md', 'gone.md'] }],
        dependencies: { 'com.example.other': 'not a range' },
      }),
      { files: new Set() },
    );
    const errors = findings
      .filter(({ severity }) => severity === 'error')
      .map(({ code, pointer }) => `${code} ${pointer}`);
    expect(errors).toEqual([
      'duplicate_action /actions/1',
      'duplicate_policy /policies/1',
      'policy_parameters /policies/0/parameters/max_calls',
      'policy_parameters /policies/0/parameters/window_seconds',
      'unknown_time_zone /policies/1/conditions/time_window/timezone',
      'policy_parameters /policies/2/parameters/when/x',
      'unknown_action /capabilities/0/actions/0',
      'path_escape /context_packs/0/files/0',
      'invalid_range /dependencies/com.example.other',
    ]);
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['policy_matches_nothing', 'missing_file', 'half_rate_limit', 'no_license']),
    );
  });

  it('finds nothing wrong with a whole Atlas', () => {
    const findings = lintManifest(
      manifestOf({
        authors: ['a'],
        license: 'MIT',
        domains: ['d'],
        actions: [actionOf('a.b', { executor: 'echo' })],
        policies: [{ policy_id: 'p', type: 'allow' }],
      }),
    );
    expect(findings).toEqual([]);
  });
});

describe('other spellings', () => {
  const foreign = {
    ...manifestOf(),
    actions: [actionOf('user_data.delete-all'), actionOf('ticket.read')],
    capabilities: [{ capability_id: 'people', name: 'People', actions: ['user_data.delete-all'] }],
    policies: [
      { policy_id: 'ask', type: 'requires_approval', actions: ['user_*', '*-all'], reason: 'ask first' },
      { policy_id: 'rest', type: 'allow', actions: {} },
    ],
  };

  it('are refused by the schema, and read as its own when asked for, with a warning each', () => {
    expect(parseManifest(foreign)).toMatchObject({
      ok: false,
      issues: expect.arrayContaining([expect.objectContaining({ pointer: '/actions/0/action_id' })]),
    });
    const read = parseManifest(foreign, 'lenient');
    if (!read.ok) throw new Error('refused');
    expect(read.manifest.actions?.map(({ action_id: id }) => id)).toEqual([
      'user.data.delete.all',
      'ticket.read',
    ]);
    expect(read.manifest.capabilities?.[0]?.actions).toEqual(['user.data.delete.all']);
    expect(read.manifest.policies).toEqual([
      {
        policy_id: 'ask',
        type: 'require_approval',
        actions: ['user.*', '*.all'],
        parameters: { reason: 'ask first' },
      },
      { policy_id: 'rest', type: 'allow' },
    ]);
    expect(read.warnings).toContain('action user_data.delete-all is read as user.data.delete.all');
    expect(read.warnings).toHaveLength(4);
  });

  it('are not taken where a glob would then match an action that it did not match', () => {
    const wider = { ...foreign, actions: [...foreign.actions, actionOf('user.read')] };
    expect(parseManifest(wider, 'lenient')).toMatchObject({
      ok: false,
      issues: [{ pointer: '/actions/0/action_id' }],
    });
  });

  it('leave an Atlas that needs none of them as it is', () => {
    const own = manifestOf({
      actions: [actionOf('a.b')],
      policies: [{ policy_id: 'p_1', type: 'allow', actions: ['a.*'] }],
    });
    expect(parseManifest(own, 'lenient')).toEqual({
      ok: true,
      mode: 'lenient',
      manifest: own,
      blocks: [],
      warnings: [],
    });
  });
});

describe('paths', () => {
  it.each(['../x', '/x', 'a/../b', 'a//b', './a', 'C:x', 'a\\b', '', 'a\0b'])('refuses %j', (path) => {
    expect(pathProblem(path)).toBeDefined();
  });
  it('takes plain ones', () => expect(pathProblem('context/über.md')).toBeUndefined());
});

describe('files that travel in the manifest', () => {
  it('come out as they went in, and leave the manifest of the directory', () => {
    const manifest = manifestOf({ metadata: { team: 'x' } });
    const files = new Map([['context/a.md', 'A']]);
    expect(takeInlineFiles(withInlineFiles(manifest, files))).toEqual({ manifest, files });
    expect(takeInlineFiles(withInlineFiles(manifestOf(), files))).toEqual({ manifest: manifestOf(), files });
  });
  it('may not leave the Atlas', () => {
    expect(takeInlineFiles(withInlineFiles(manifestOf(), new Map([['../a', 'A']]))).problem).toMatchObject({
      pointer: '/metadata/context_files/..~1a',
    });
  });
});

describe('parts in files of their own', () => {
  it('stand behind the manifest’s own, in the order of the file names', () => {
    const merged = mergeParts(
      { policies: [{ policy_id: 'own' }] },
      {
        policies: [
          { path: 'b.json', value: { policy_id: 'b' } },
          { path: 'a.json', value: [{ policy_id: 'a' }] },
        ],
        actions: [],
      },
    );
    expect(merged).toEqual({ policies: [{ policy_id: 'own' }, { policy_id: 'a' }, { policy_id: 'b' }] });
  });
});

describe('dependencies', () => {
  const candidate = (atlasId: string, version: string, dependencies: Record<string, string> = {}) => ({
    atlasId,
    version,
    digest: `d-${atlasId}-${version}`,
    dependencies,
  });

  it('take the highest version that everyone accepts, dependencies first', () => {
    const { locked, problems } = resolveDependencies(
      { atlas_id: 'com.a', dependencies: { 'com.b': '^1.0.0', 'com.c': '>=1' } },
      [
        candidate('com.b', '1.2.0', { 'com.c': '<2' }),
        candidate('com.b', '2.0.0'),
        candidate('com.c', '1.9.0'),
        candidate('com.c', '2.1.0'),
      ],
    );
    expect(problems).toEqual([]);
    expect(locked.map(({ atlasId, version }) => `${atlasId}@${version}`)).toEqual([
      'com.c@1.9.0',
      'com.b@1.2.0',
    ]);
  });

  it('say who wanted what cannot be had', () => {
    const { problems } = resolveDependencies({ atlas_id: 'com.a', dependencies: { 'com.b': '^3' } }, [
      candidate('com.b', '1.0.0'),
    ]);
    expect(problems).toEqual([{ atlasId: 'com.b', range: '^3', wantedBy: 'com.a', found: ['1.0.0'] }]);
  });

  it('are locked by version and content', () => {
    const locked = [{ atlasId: 'com.b', version: '1.0.0', digest: 'x' }];
    const lock = readLock(JSON.parse(writeLock(locked)))!;
    expect(lockDrift(lock, locked)).toEqual([]);
    expect(lockDrift(lock, [{ ...locked[0]!, digest: 'y' }])).toHaveLength(1);
    expect(readLock({ lock_version: '9' })).toBeUndefined();
  });
});

describe('tool names', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{0,12}$/);
  it('lead back to their action', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.array(word, { minLength: 2, maxLength: 12 }).map((parts) => parts.join('.'))),
        (ids) => {
          const { nameOf, actionOf: back } = toolNames(ids, nodeHasher);
          for (const id of ids) {
            expect(nameOf.get(id)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
            expect(back.get(nameOf.get(id)!)).toBe(id);
          }
        },
      ),
    );
  });

  it('are written as each vendor takes them', () => {
    const action = actionOf('ticket.get', { parameters_schema: { type: 'object', properties: { id: {} } } });
    const schema = action.parameters_schema;
    expect(emitTools('openai', [action], nodeHasher).tools[0]).toMatchObject({
      type: 'function',
      function: { name: 'ticket_get', parameters: schema },
    });
    expect(emitTools('anthropic', [action], nodeHasher).tools[0]).toMatchObject({
      name: 'ticket_get',
      input_schema: schema,
    });
    expect(emitTools('mcp', [action], nodeHasher)).toMatchObject({
      tools: [{ name: 'ticket_get', inputSchema: schema }],
      names: { ticket_get: 'ticket.get' },
    });
  });
});

describe('identifiers', () => {
  it('are read as they are written', () => {
    for (const text of [
      'atlas://com.example.a',
      'atlas://com.example.a@1.0.0',
      'atlas://com.example.a@1.0.0/context/a.md',
    ]) {
      expect(formatAtlasReference(parseAtlasReference(text)!)).toBe(text);
    }
    expect(formatCraReference(parseCraReference('cra://session/01')!)).toBe('cra://session/01');
    expect([parseAtlasReference('atlas://Nope'), parseCraReference('cra://thing/1')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('context', () => {
  const query = {
    input: { agentId: 'a', riskTier: undefined, context: {}, scopes: new Set<string>(), now: 0 },
    goal: 'g',
    hints: [],
    requiredCapabilities: [],
  };

  it('leaves out whole files that no longer fit the budget of their pack', () => {
    const atlas = testAtlas(
      { context_packs: [{ pack_id: 'p', name: 'p', files: ['a.md', 'b.md', 'c.md'], max_tokens: 3 }] },
      { 'a.md': '12345678', 'b.md': '12345678', 'c.md': '1234' },
    );
    expect(
      selectContext([atlas], query).map(({ block_id, token_estimate }) => [block_id, token_estimate]),
    ).toEqual([
      ['p#a.md', 2],
      ['p#c.md', 1],
    ]);
  });

  it('brings the packs of a capability when it is asked for', () => {
    const atlas = testAtlas(
      {
        context_packs: [{ pack_id: 'p', name: 'p', files: ['a.md'] }],
        capabilities: [{ capability_id: 'read', name: 'r', context_packs: ['p'] }],
      },
      { 'context/a.md': 'A' },
    );
    const count = (requiredCapabilities: string[], hints: string[] = []) =>
      selectContext([atlas], { ...query, requiredCapabilities, hints }).length;
    expect([count([]), count(['read']), count(['write']), count(['write'], ['p'])]).toEqual([1, 1, 0, 1]);
  });
});
