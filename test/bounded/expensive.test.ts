import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aPackage } from '../context/a-package.ts';
import { startWatchedServer, type WatchedServer } from './watched-server.ts';

const json = { 'content-type': 'application/json' };
const MEGABYTE = 1024 * 1024;
const PROVING = process.env.BATON_PROVE === '1';

/** One agent with an ordinary key sends these; everybody else must not notice. */
describe('what an agent can make expensive', () => {
  let server: WatchedServer;
  beforeAll(async () => {
    server = await startWatchedServer({ BATON_WORK_SECONDS: '30' });
    // What the first request of each kind loads and compiles is no attack.
    await post('/v1/atlases/check', atlas({}));
    await post('/v1/projects/default/packages', pack('warm', 'some words'));
    await server.fetch('/v1/orchestrate');
    await post('/v1/memory/profiles', { did: 'did:a2p:user:local:owner' });
    await post('/v1/hooks/claude-code', hook('git status'));
    await post('/v1/atlases/check', atlas({ actions: actions(40) }));
  });
  afterAll(() => server.close());

  const post = async (path: string, body: unknown) => {
    const response = await server.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  function atlas(more: object) {
    return {
      atlas_version: '1.0',
      atlas_id: 'com.example.large',
      version: '1.0.0',
      name: 'Large',
      description: 'As large as it gets',
      ...more,
    };
  }
  const actions = (count: number, schema: object = { type: 'object' }) =>
    Array.from({ length: count }, (_, at) => ({
      action_id: `work.do${at}`,
      name: `Do ${at}`,
      description: 'Does it',
      parameters_schema: schema,
    }));
  const policies = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      policy_id: `p${at}`,
      type: at % 2 ? 'deny' : 'allow',
      actions: ['*'],
      conditions: { agents: [`*${at}*`, `agent-${at}-?*x`] },
    }));
  const properties = (count: number) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string', minLength: 1, maxLength: 100 }]),
    ),
  });
  const words = (bytes: number) => {
    const list: string[] = [];
    for (let length = 0, at = 0; length < bytes; at += 1) {
      const word = `w${(at * 2_654_435_761).toString(36)}`;
      list.push(word);
      length += word.length + 1;
    }
    return list.join(' ');
  };
  const pack = (id: string, text: string) => ({
    ...aPackage(id, {
      project_id: 'default',
      created_at: new Date().toISOString(),
      created_by: { id: 'owner', type: 'human', session_id: null },
    }),
    description: text,
  });

  async function watched<T>(work: () => Promise<T>): Promise<{ answer: T; longest: number; more: number }> {
    const before = await server.reset();
    const answer = await work();
    const { longest, peak, rss } = await server.measure();
    return { answer, longest, more: Math.max(peak, rss) - before.rss };
  }

  /** For the loop and the memory while it happens; how much longer it takes in a thread is that agent's own affair. */
  const BUSY = PROVING ? 100 : 200;

  it('a manifest whose schema has 15,000 properties is refused, and nobody waits for it', async () => {
    const { answer, longest } = await watched(() =>
      post('/v1/atlases/check', atlas({ actions: actions(1, properties(15_000)) })),
    );
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'WORK_TOO_LARGE' } } });
    expect(longest).toBeLessThan(BUSY);
  });

  it('300 actions and 400 policies are loaded, and their analysis ends in time', async () => {
    const large = atlas({ atlas_id: 'com.example.wide', actions: actions(300), policies: policies(400) });
    const loaded = await watched(() => post('/v1/atlases', large));
    expect(loaded.answer.status).toBe(201);
    expect(loaded.longest).toBeLessThan(BUSY);
    const analysis = await watched(async () => {
      const response = await server.fetch('/v1/atlases/com.example.wide/analysis');
      return { status: response.status, body: await response.json() };
    });
    expect([200, 422]).toContain(analysis.answer.status);
    expect(analysis.longest).toBeLessThan(BUSY);
  });

  it('two versions are compared, decision by decision, and nobody waits for it', async () => {
    const version = (number: string, more: object) =>
      atlas({
        atlas_id: 'com.example.stepped',
        version: number,
        actions: actions(30).map((each) => ({ ...each, action_id: `stepped.${each.action_id}` })),
        policies: policies(33),
        ...more,
      });
    expect((await post('/v1/atlases', version('1.0.0', {}))).status).toBe(201);
    const { answer, longest } = await watched(() =>
      post('/v1/atlases', version('1.0.1', { description: 'Another' })),
    );
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).not.toHaveProperty('warnings');
    expect(longest).toBeLessThan(BUSY);
  });

  it.each([
    ['^(a+)+$', 'one'],
    ['^(a|a)*$', 'two'],
    ['(x+x+)+y', 'three'],
  ])('the pattern %s takes its time for no text', async (pattern, name) => {
    const schema = { type: 'object', properties: { text: { type: 'string', pattern } } };
    const id = `com.example.${name}`;
    const made = atlas({
      atlas_id: id,
      actions: [
        {
          action_id: `pat.${name}`,
          name: 'P',
          description: 'P',
          parameters_schema: schema,
          executor: 'echo',
        },
      ],
      policies: [{ policy_id: `allow-${name}`, type: 'allow', actions: [`pat.${name}`] }],
    });
    expect((await post('/v1/atlases', made)).status).toBe(201);
    const { answer, longest } = await watched(() =>
      execute(`pat.${name}`, { text: `${'a'.repeat(100_000)}!` }),
    );
    expect(answer.status).toBe(pattern.startsWith('^') || pattern.startsWith('(x') ? 400 : 200);
    expect(longest).toBeLessThan(BUSY);
  });

  async function execute(actionId: string, parameters: object) {
    const session = await post('/v1/sessions', { agent_id: 'owner', goal: 'test' });
    const sessionId = String(session.body.session_id);
    const request = (operation: string, more: object) => ({
      carp_version: '1.0',
      request_id: crypto.randomUUID(),
      timestamp: new Date().toISOString(),
      operation,
      requester: { agent_id: 'owner', session_id: sessionId },
      ...more,
    });
    const resolved = await post(
      '/v1/resolve',
      request('resolve', { task: { goal: 'test', risk_tier: 'low' } }),
    );
    const resolutionId = (resolved.body as { resolution?: { resolution_id?: string } }).resolution
      ?.resolution_id;
    return post(
      '/v1/execute',
      request('execute', {
        execution: {
          resolution_id: resolutionId ?? resolved.body.resolution_id,
          action_id: actionId,
          parameters,
        },
      }),
    );
  }

  it('a deposit of 3.8 MB of words that nobody ever used', async () => {
    const { answer, longest, more } = await watched(() =>
      post('/v1/projects/default/packages', pack('words', words(3_800_000))),
    );
    expect(answer.status).toBe(201);
    expect(longest).toBeLessThan(BUSY);
    // With the two threads that read texts, each with its own budget and gone when idle.
    expect(more).toBeLessThan(3 * 64 * MEGABYTE);
  });

  it('and of one of which more can be indexed: all of it is found, and what is not is said', async () => {
    const long = `${'all about the harbour and its ships. '.repeat(10_000)} lighthouse`;
    const whole = await deposit('long', { description: long });
    expect(whole.headers.get('relay-warning')).toBeNull();
    const found = await server.fetch('/v1/search?query=lighthouse');
    expect(JSON.stringify(await found.json())).toContain('"long"');
    const part = await deposit('longer', { description: words(1_000_000) });
    expect(part.headers.get('relay-warning')).toContain('search finds it by its beginning only');
  });

  const deposit = (id: string, more: object) =>
    server.fetch('/v1/projects/default/packages', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ ...pack(id, 'text'), ...more }),
    });
  const list = <T>(count: number, item: (at: number) => T) =>
    Array.from({ length: count }, (_, at) => item(at));
  /** JSON with a member more, written by hand: no client builds these. */
  const withMember = (document: object, name: string, text: string) =>
    `${JSON.stringify(document).slice(0, -1)},"${name}":${text}}`;
  const zeros = `[${'0,'.repeat(1_900_000)}0]`;
  const mcp = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const span = (at: number, attributes: readonly object[]) => ({
    traceId: at.toString(16).padStart(32, 'a'),
    spanId: at.toString(16).padStart(16, 'b'),
    name: 'n',
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
    attributes,
  });
  const spans = (all: readonly object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans: all }] }] });
  const now = new Date().toISOString();

  /** What one agent can send, and what it is answered. */
  const ATTACKS: readonly [string, string, () => unknown, number][] = [
    [
      'numbers without end',
      '/v1/projects/default/packages',
      () => withMember(pack('n', 't'), 'x', zeros),
      413,
    ],
    [
      'members without end',
      '/v1/sessions',
      () => ({
        agent_id: 'owner',
        goal: 'g',
        metadata: Object.fromEntries(list(200_000, (at) => [`k${at}`, at])),
      }),
      413,
    ],
    ['a manifest of numbers', '/v1/atlases/check', () => withMember(atlas({}), 'x', zeros), 413],
    [
      'a manifest with a long text',
      '/v1/atlases/check',
      () => atlas({ description: 'a'.repeat(7_000_000) }),
      200,
    ],
    [
      'a tool call of numbers',
      '/mcp',
      () => mcp({ name: 'context', arguments: { action: 'deposit', x: JSON.parse(zeros) } }),
      413,
    ],
    [
      'a batch of 40,000 messages',
      '/mcp',
      () => list(40_000, (id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
      413,
    ],
    [
      '60,000 attributes',
      '/v1/traces',
      () =>
        spans([
          span(
            0,
            list(60_000, (at) => ({ key: `k${at}`, value: { stringValue: 'v' } })),
          ),
        ]),
      413,
    ],
    ['8,000 spans', '/v1/traces', () => spans(list(8_000, (at) => span(at, []))), 200],
    [
      '100,000 parents',
      '/v1/projects/default/packages',
      () => ({ ...pack('parents', 't'), 'x-parents': list(100_000, (at) => `p${at}`) }),
      413,
    ],
    [
      '8,000 links',
      '/v1/projects/default/packages',
      () => ({
        ...pack('links', 't'),
        'x-parents': list(2_000, (at) => `p${at}`),
        'x-refs': list(2_000, (at) => ({ rel: 'a', project_id: 'p', package_id: `p${at}` })),
        'x-resolves': list(2_000, (at) => ({ package_id: `p${at}`, question: `q${at}` })),
        open_questions: list(2_000, (at) => `question ${at}`),
      }),
      201,
    ],
    [
      'a run of closing quotes',
      '/v1/projects/default/packages',
      () => pack('quotes', `.${'"'.repeat(90_000)}`.repeat(3)),
      201,
    ],
    [
      'a text of escapes',
      '/v1/projects/default/packages',
      () => pack('escapes', '\n'.repeat(1_900_000)),
      201,
    ],
    [
      'what looks like half a key',
      '/v1/projects/default/packages',
      () => pack('half', `-----BEGIN ${'A '.repeat(1_900_000)}`),
      201,
    ],
    [
      'brackets',
      '/v1/projects/default/packages',
      () => `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`,
      400,
    ],
    [
      'a fact with a book as its value',
      '/v1/facts',
      () => ({ subject: 's', predicate: 'p', value: words(3_000_000) }),
      400,
    ],
    ['an import of 15 MB of spaces', '/v1/import', () => ' '.repeat(15 * MEGABYTE), 400],
    [
      'an import of 2,000 facts',
      '/v1/import',
      () => ({
        facts: list(2_000, (at) =>
          JSON.stringify({
            fact_id: `f${at}`,
            project_id: 'default',
            subject: `s${at}`,
            predicate: 'p',
            value: 'v',
            valid_from: now,
            created_at: now,
          }),
        ),
      }),
      200,
    ],
  ];

  const hook = (command: string) => ({
    place: { cwd: '/r', root: '/r', home: '/h', data: '/d', temporary: '/t', platform: 'linux' },
    headless: true,
    message: {
      session_id: 'one',
      hook_event_name: 'PreToolUse',
      cwd: '/r',
      tool_name: 'Bash',
      tool_input: { command },
    },
  });
  const HOOKS: typeof ATTACKS = [
    ['commands', () => 'a;'.repeat(950_000)],
    ['commands in each other', () => '$('.repeat(950_000)],
    ['words', () => `rm ${words(1_900_000)}`],
    ['words that fit into one', () => `rm ${words(120_000)}`],
    ['commands that fit into one', () => 'git push && '.repeat(10_000)],
    ['Baton’s own name', () => `a ${'"baton x" '.repeat(12_000)}`],
  ].map(([name, line]) => [
    `a line of ${name}`,
    '/v1/hooks/claude-code',
    () => hook((line as () => string)()),
    200,
  ]);
  const MEMORIES: typeof ATTACKS = [
    ['a memory of marks that nobody sees', () => '\u200b'.repeat(1_200_000)],
    ['a memory of letters with accents', () => 'a\u0301 '.repeat(900_000)],
  ].map(([name, text]) => [
    name as string,
    '/v1/memory/proposals',
    () => ({ content: (text as () => string)(), category: 'a2p:preferences' }),
    400,
  ]);

  it.each([...ATTACKS, ...HOOKS, ...MEMORIES])('%s hold nobody up', async (_, path, body, status) => {
    const made = body();
    const text = typeof made === 'string' ? made : JSON.stringify(made);
    const headers = { ...json, accept: 'application/json, text/event-stream' };
    const { answer, longest } = await watched(async () => {
      const response = await server.fetch(path, { method: 'POST', headers, body: text });
      await response.arrayBuffer();
      return response.status;
    });
    expect(answer).toBe(status);
    expect(longest).toBeLessThan(BUSY);
  });

  it.each([
    '/openapi.json',
    '/v1/projects/default/packages?limit=200',
    '/v1/projects/default/heads?limit=200',
    '/v1/projects/default/orient?max_tokens=100000&limit=200',
    '/v1/projects/default/changes?include=body&limit=1000',
    '/v1/projects/default/export?file=packages&limit=1000',
    '/v1/projects/default/export?file=embeddings&limit=1000',
    '/v1/projects/default/integrity',
    '/v1/orchestrate?focus=harbour',
  ])('nor does %s afterwards, with megabytes in many packages', async (path) => {
    const { answer, longest } = await watched(async () => {
      const response = await server.fetch(path);
      return { status: response.status, length: (await response.arrayBuffer()).byteLength };
    });
    expect(answer.status).toBe(200);
    // One package may be larger than a page.
    expect(answer.length).toBeLessThan(9 * MEGABYTE);
    expect(longest).toBeLessThan(BUSY);
  });

  describe('a profile of 16,000 memories', () => {
    const id = 'did:a2p:user:local:collector';
    const query = `profile=${encodeURIComponent(id)}`;
    const sorts = ['likes', 'never uses', 'lives near', 'works with'];
    const memory = (at: number) => ({
      id: `mem_${at}`,
      content: `The user ${sorts[at % 4]} number ${at % 997} of the ${words(60)}`,
      category: 'a2p:preferences',
      confidence: 0.95,
    });

    it('is imported, and nobody waits for it', async () => {
      const document = { id, version: '0.1.0', memories: { 'a2p:episodic': list(16_000, memory) } };
      const { answer, longest } = await watched(() => post('/v1/memory/import', document));
      expect(answer).toMatchObject({ status: 201, body: { memories: 16_000 } });
      expect(longest).toBeLessThan(BUSY);
    });

    it.each([
      `/v1/memory/export?${query}`,
      `/v1/memory/export?${query}&shape=schema`,
      `/v1/memory/promotions?${query}`,
      `/v1/memory/memories/mem_7/similar?${query}`,
    ])('%s holds nobody up', async (path) => {
      const { answer, longest } = await watched(async () => {
        const response = await server.fetch(path);
        return { status: response.status, length: (await response.arrayBuffer()).byteLength };
      });
      expect(answer.status).toBe(200);
      expect(longest).toBeLessThan(BUSY);
    });
  });
});
