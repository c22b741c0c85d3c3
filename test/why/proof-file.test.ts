import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkWhy } from '../../packages/client/src/verify.ts';
import type { Database } from '../../src/spine/storage/database.ts';
import { openDatabase } from '../../src/spine/storage/open.ts';
import { describeOnEachEngine } from '../../src/spine/storage/testing.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';
import { type Story, tellStory } from './scenario.ts';

interface FileRow {
  of: string;
  table: string;
  key: (string | number)[];
  digest: string | null;
  event_id: string | null;
  unattested: boolean;
  content?: { row: Record<string, unknown>; table: string };
  texts?: Record<string, string>;
}

interface ProofFile {
  format: string;
  attestation: { event: { payload: Record<string, unknown> } };
  rows: FileRow[];
  records: { leaf_index: number; event: { event_id: string; payload: { rows: unknown[][] } } }[];
}

const TIMEOUT = 60_000;

/** What a proof file says of the rows that an explanation rests on, checked as a browser checks it: offline. */
describeOnEachEngine('a proof file', (open) => {
  let server: TestServer;
  let story: Story;
  /** As whoever has the database: nothing that it changes is recorded. */
  let behind: Database;
  let file: string;

  beforeAll(async () => {
    const databaseUrl = open.urlOf(await open([]));
    server = await startTestServer({ databaseUrl });
    story = await tellStory(server);
    behind = await openDatabase(databaseUrl);
    file = await prove(story.lastPackage);
  }, TIMEOUT);
  afterAll(async () => {
    await behind?.close();
    await server?.close();
  });

  async function prove(id: string, token = server.ownerToken): Promise<string> {
    const response = await server.fetch('/v1/why/proof', {
      method: 'POST',
      body: JSON.stringify({ id }),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    return response.text();
  }

  const rowOf = (proof: ProofFile, table: string) => {
    const row = proof.rows.find((one) => one.table === table);
    if (row === undefined) throw new Error(`the file has no row of ${table}`);
    return row;
  };

  it('holds what it proves: the rows themselves, their texts, and the events that recorded them', async () => {
    const report = await checkWhy(file);
    expect(report).toMatchObject({ valid: true, error: null, state: { unattested: 0, gone: 0 } });
    const proof = JSON.parse(file) as ProofFile;
    const tables = new Set(proof.rows.map(({ table }) => table));
    for (const table of [
      'packages',
      'facts',
      'inbox_items',
      'governance_approvals',
      'governance_grants',
      'governance_executions',
      'governance_resolutions',
      'governance_atlas_loads',
      'governance_atlas_contents',
      'sessions',
      'why_accounts',
    ]) {
      expect(tables).toContain(table);
    }
    expect(rowOf(proof, 'packages').texts?.original).toContain('Changed the price');
    expect(rowOf(proof, 'facts').content?.row.value).toBe('march');
    // What can be erased is in no file.
    expect(rowOf(proof, 'inbox_items').content?.row.title).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows another agent no goal, parameter or result, and proves them by their digest all the same', async () => {
    const made = await server.client.call('keys.create', {
      actor_id: 'other',
      actor_type: 'agent',
      projects: ['default'],
    });
    const text = await prove(story.execution, made.token as string);
    const report = await checkWhy(text);
    expect(report).toMatchObject({ valid: true });
    expect(report.state?.withheld).toBeGreaterThanOrEqual(3);
    // Events about rows of no project would name those of other projects.
    expect(text).not.toContain('governance_atlas_contents');
    const proof = JSON.parse(text) as ProofFile;
    for (const table of ['governance_executions', 'governance_approvals', 'sessions']) {
      expect(rowOf(proof, table).content).toBeUndefined();
      expect(rowOf(proof, table).digest).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(
      rowOf(JSON.parse(await prove(story.execution, story.agentToken)), 'governance_executions').content,
    ).toBeDefined();
  });

  const FORGERIES: [name: string, table: string | undefined, message: RegExp, (proof: ProofFile) => void][] =
    [
      [
        'a value',
        'facts',
        /content does not have the digest/,
        (proof) => {
          rowOf(proof, 'facts').content!.row.value = '"april"';
        },
      ],
      [
        'a value together with its digest',
        'facts',
        /not as it was recorded \(event/,
        (proof) => {
          rowOf(proof, 'facts').digest = 'ab'.repeat(32);
        },
      ],
      [
        'a long text',
        'packages',
        /text of original is not the one/,
        (proof) => {
          rowOf(proof, 'packages').texts!.original += ' ';
        },
      ],
      [
        'a text that the row does not have',
        'packages',
        /text of extra is not/,
        (proof) => {
          rowOf(proof, 'packages').texts!.extra = 'x';
        },
      ],
      [
        'the name of a table',
        'fakts',
        /No record of the row/,
        (proof) => {
          rowOf(proof, 'facts').table = 'fakts';
        },
      ],
      [
        'a key',
        'facts',
        /No record of the row/,
        (proof) => {
          rowOf(proof, 'facts').key[1] = 'fact_other';
        },
      ],
      [
        'whose row it is',
        undefined,
        /rows were changed since/,
        (proof) => {
          rowOf(proof, 'facts').of = 'fact fact_other';
        },
      ],
      [
        'which event recorded it',
        'facts',
        /No record of the row|no proof of the event/,
        (proof) => {
          const row = rowOf(proof, 'facts');
          row.event_id = proof.rows.find(({ event_id }) => event_id !== row.event_id)!.event_id;
        },
      ],
      [
        'that no event recorded it',
        'facts',
        /never recorded/,
        (proof) => {
          rowOf(proof, 'facts').event_id = null;
        },
      ],
      [
        'that it is older than the records',
        undefined,
        /record that is of none|rows were changed/,
        (proof) => {
          Object.assign(rowOf(proof, 'facts'), { event_id: null, unattested: true });
        },
      ],
      [
        'that it is gone',
        'facts',
        /recorded, and is not there/,
        (proof) => {
          const row = rowOf(proof, 'facts');
          delete row.content;
          row.digest = null;
        },
      ],
      [
        'a row left out',
        undefined,
        /record that is of none|rows were changed/,
        (proof) => {
          proof.rows.splice(proof.rows.indexOf(rowOf(proof, 'facts')), 1);
        },
      ],
      [
        'a row twice',
        undefined,
        /rows were changed/,
        (proof) => {
          proof.rows.push(rowOf(proof, 'facts'));
        },
      ],
      [
        'a row left out from around its text',
        'packages',
        /content of the row was taken out/,
        (proof) => {
          delete rowOf(proof, 'packages').content;
        },
      ],
      [
        'a record left out',
        'facts',
        /no proof of the event/,
        (proof) => {
          const { event_id } = rowOf(proof, 'facts');
          proof.records = proof.records.filter(({ event }) => event.event_id !== event_id);
        },
      ],
      [
        'the digest inside a record',
        undefined,
        /not the one that was hashed/,
        (proof) => {
          proof.records[0]!.event.payload.rows[0]![2] = 'ab'.repeat(32);
        },
      ],
      [
        'the place of a record',
        undefined,
        /not in the tree/,
        (proof) => {
          proof.records[0]!.leaf_index += 1;
        },
      ],
      [
        'all rows and records',
        undefined,
        /rows that the explanation rests on are gone/,
        (proof) => {
          Object.assign(proof, { format: 'baton-why/1', rows: undefined, records: undefined });
        },
      ],
      [
        'what the journal kept of the rows',
        undefined,
        /not the one that was hashed/,
        (proof) => {
          delete proof.attestation.event.payload.rows_digest;
        },
      ],
    ];
  it.each(FORGERIES)('names the forgery of %s', async (_name, table, message, forge) => {
    const proof = JSON.parse(file) as ProofFile;
    forge(proof);
    const { valid, error } = await checkWhy(JSON.stringify(proof));
    expect(valid).toBe(false);
    expect(error?.message).toMatch(message);
    if (table !== undefined) {
      expect(error).toMatchObject({ table });
      expect(error?.key).toBeTruthy();
    }
  });

  const EDITS: [what: string, table: string, sql: (story: Story) => [string, string]][] = [
    ['a fact', 'facts', ({ fact }) => [`update facts set value = '"april"' where fact_id = ?`, fact]],
    [
      'a package',
      'packages',
      ({ firstPackage }) => [
        "update packages set original = original || ' ' where package_id = ?",
        firstPackage,
      ],
    ],
    [
      'the state of a decision',
      'inbox_items',
      ({ approval }) => ["update inbox_items set risk = 'medium' where item_id = ?", approval],
    ],
    [
      'a title that could be erased',
      'inbox_items',
      ({ approval }) => ["update inbox_items set title = 'harmless' where item_id = ?", approval],
    ],
    [
      'what an execution answered',
      'governance_executions',
      ({ execution }) => [
        "update governance_executions set response = '{}' where execution_id = ?",
        execution,
      ],
    ],
    [
      'a rule',
      'governance_atlas_contents',
      () => [
        "update governance_atlas_contents set manifest = replace(manifest, 'ask-first', ?)",
        'ask-never',
      ],
    ],
    [
      'the words of a step',
      'why_accounts',
      () => ["update why_accounts set account = replace(account, 'decided: approve', ?)", 'decided: reject'],
    ],
  ];
  it.each(EDITS)(
    'made after somebody edited %s does not hold, and names the row',
    { timeout: TIMEOUT },
    async (_what, table, edit) => {
      const [sql, value] = edit(story);
      const before = await behind.read((reader) => reader.cells(`select * from ${table}`));
      const columns = await behind.read((reader) => reader.all(`select * from ${table} limit 1`));
      expect(await behind.write((uow) => uow.run(sql, [value]))).toBeGreaterThan(0);
      const { valid, error } = await checkWhy(await prove(story.lastPackage));
      expect({ valid, table: error?.table }).toEqual({ valid: false, table });
      expect(error?.message).toMatch(/not as it was recorded/);
      const names = Object.keys(columns[0] as object);
      for (const cells of before) {
        await behind.write((uow) =>
          uow.run(
            `update ${table} set ${names.map((name) => `${name} = ?`).join(', ')} where ${names[0]} = ?`,
            [...cells, cells[0]!],
          ),
        );
      }
      expect(await checkWhy(await prove(story.lastPackage))).toMatchObject({ valid: true });
    },
  );

  it('made after somebody deleted a row does not hold', { timeout: TIMEOUT }, async () => {
    await behind.write(async (uow) => {
      await uow.run('delete from fact_spans where fact_id = ?', [story.fact]);
      await uow.run('delete from facts where fact_id = ?', [story.fact]);
    });
    expect((await checkWhy(await prove(story.fact))).error).toMatchObject({
      table: 'facts',
      key: `default ${story.fact}`,
      message: expect.stringMatching(/recorded, and is not there/),
    });
  });
});
