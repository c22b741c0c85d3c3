/** Three Atlases in the words of docs/rules.md alone. Whoever wrote that page wrote them: a stranger has yet to try. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lintAtlas } from '../../src/slices/governance/atlases/files/inspect.ts';
import { testAtlas } from '../../src/slices/governance/atlases/files/test-atlas.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function written(manifest: object, cases: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'baton-newcomer-'));
  folders.push(folder);
  await mkdir(join(folder, 'tests'));
  const head = {
    atlas_version: '1.0',
    atlas_id: 'com.example.new',
    version: '1.0.0',
    name: 'Mine',
    description: '',
  };
  await writeFile(join(folder, 'atlas.json'), JSON.stringify({ ...head, ...manifest }));
  await writeFile(join(folder, 'tests/mine.cases.json'), JSON.stringify({ cases }));
  return folder;
}

const text = { type: 'string' };
const parameters = (properties: object) => ({
  parameters_schema: { type: 'object', additionalProperties: false, properties },
});

const DEPLOYS = {
  actions: [
    {
      action_id: 'deploy.start',
      name: 'Deploy',
      description: 'Starts a deploy',
      ...parameters({ env: text, ref: text }),
    },
  ],
  policies: [
    { policy_id: 'test-env', type: 'allow', parameters: { when: { env: { in: ['dev', 'test'] } } } },
    {
      policy_id: 'production',
      type: 'require_approval',
      parameters: { approvers: ['lead-*'], when: { env: 'prod' } },
    },
    {
      policy_id: 'freeze',
      type: 'deny',
      parameters: { reason: 'Frozen', when: { '@facts/release/frozen': { exists: true } } },
    },
  ],
};

describe('a newcomer', () => {
  it('misspells a word and is told which one', async () => {
    const wrong = structuredClone(DEPLOYS) as { policies: { parameters: Record<string, unknown> }[] };
    (wrong.policies[0] as { parameters: object }).parameters = { wen: { env: 'dev' } };
    const { loadable, findings } = await lintAtlas(await written(wrong, []));
    expect(loadable).toBe(false);
    expect(findings.find(({ severity }) => severity === 'error')?.message).toContain('did you mean when?');
  });

  it('writes rules for deploys', async () => {
    const frozen = [{ subject: 'release', predicate: 'frozen', value: 'yes' }];
    const folder = await written(DEPLOYS, [
      { name: 'dev', action_id: 'deploy.start', parameters: { env: 'dev' }, expect: 'allow' },
      { name: 'prod', action_id: 'deploy.start', parameters: { env: 'prod' }, expect: 'require_approval' },
      { name: 'other', action_id: 'deploy.start', parameters: { env: 'PROD' }, expect: 'deny' },
      {
        name: 'freeze',
        action_id: 'deploy.start',
        parameters: { env: 'dev' },
        facts: frozen,
        expect: 'deny',
        policy_id: 'freeze',
      },
    ]);
    expect(await testAtlas(folder, 1)).toMatchObject({ passed: true, covered: 1 });
  });

  it('writes rules for mail', async () => {
    const folder = await written(
      {
        actions: [
          {
            action_id: 'mail.send',
            name: 'Send',
            description: 'Sends',
            ...parameters({ to: { type: 'array', items: text }, body: text }),
          },
        ],
        policies: [
          {
            policy_id: 'inside',
            type: 'allow',
            parameters: {
              when: { to: { all: { '.': { matches: { of: '*@example.com', ignore_case: true } } } } },
            },
          },
          {
            policy_id: 'outside',
            type: 'require_approval',
            parameters: {
              when: {
                to: { any: { '.': { not: { matches: { of: '*@example.com', ignore_case: true } } } } },
              },
            },
          },
          { policy_id: 'not-many', type: 'rate_limit', parameters: { max_calls: 20, window_seconds: 3600 } },
        ],
      },
      [
        {
          name: 'a colleague',
          action_id: 'mail.send',
          parameters: { to: ['Ann@Example.com'] },
          expect: 'allow',
        },
        {
          name: 'a customer',
          action_id: 'mail.send',
          parameters: { to: ['ann@example.com', 'c@else.example'] },
          expect: 'require_approval',
        },
      ],
    );
    expect(await testAtlas(folder, 1)).toMatchObject({ passed: true, covered: 1 });
  });

  it('writes rules for a shell', async () => {
    const folder = await written(
      {
        actions: [
          { action_id: 'shell.run', name: 'Run', description: 'Runs', ...parameters({ command: text }) },
        ],
        policies: [
          {
            policy_id: 'known',
            type: 'allow',
            parameters: { when: { command: { runs_only: ['ls **', 'git status', 'make test'] } } },
          },
          {
            policy_id: 'never',
            type: 'deny',
            parameters: { reason: 'Not from here', when: { command: { runs: ['rm **', 'curl **'] } } },
          },
        ],
      },
      [
        {
          name: 'looks',
          action_id: 'shell.run',
          parameters: { command: 'ls -la src && git status' },
          expect: 'allow',
        },
        { name: 'tests', action_id: 'shell.run', parameters: { command: 'make test' }, expect: 'allow' },
        {
          name: 'hides',
          action_id: 'shell.run',
          parameters: { command: 'ls "$(rm -rf x)"' },
          expect: 'deny',
          policy_id: 'never',
        },
        { name: 'else', action_id: 'shell.run', parameters: { command: 'make install' }, expect: 'deny' },
      ],
    );
    expect(await testAtlas(folder, 1)).toMatchObject({ passed: true, covered: 1 });
  });
});
