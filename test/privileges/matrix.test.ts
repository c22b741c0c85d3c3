import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/spine/operations/define.ts';
import { table } from '../operations/requests.ts';
import { type Row, rowsOf } from './rows.ts';
import { type Answered, openWorld, type World } from './world.ts';

let world: World;
const cells = new Map<string, string[]>();
beforeAll(async () => {
  world = await openWorld();
}, 120_000);
afterAll(() => world.close());

const served = Object.values(table).filter(({ http }) => http !== undefined);
const keyOf = ({ operation, note }: Row) => (note ? `${operation}, ${note}` : operation);

/** Paths are filled with something; what they name need not exist. */
function anyRequest({ input }: Operation): Record<string, unknown> {
  return Object.fromEntries(Object.keys(input.path?.shape ?? {}).map((name) => [name, 'x']));
}

/** A valid request that fails, failed for who asked; of any other, only what is said of the credential counts. */
function cellOf({ status, code }: Answered, valid: boolean): string {
  if (status < 400) return 'yes';
  if (code?.toLowerCase() === 'unauthorized' || code === 'A2P001' || code === 'http_401') return '-';
  if (code?.toLowerCase() === 'forbidden') return 'no';
  return valid || status === 403 ? `${code}` : 'yes';
}

async function cellsOf(row: Row): Promise<string[]> {
  const operation = table[row.operation]!;
  const found: string[] = [];
  let flat: Readonly<Record<string, unknown>> | undefined;
  for (const { send } of world.credentials) {
    flat ??= row.valid ? await row.valid(world) : anyRequest(operation);
    const answer = await send(operation, flat);
    found.push(cellOf(answer, row.valid !== undefined));
    // What took effect is used up, and what was answered 5xx would be a fault of ours.
    expect([row.operation, answer.status < 500 || answer.status === 503]).toEqual([row.operation, true]);
    if (answer.status < 400) flat = undefined;
  }
  return found;
}

describe('privileges', () => {
  it('are tried: every kind of credential on every operation, by real requests', async () => {
    for (const row of rowsOf(served.map(({ name }) => name))) {
      if (row.operation === 'identity.login' || row.operation === 'identity.passphrase_set') {
        await world.server.app.db.write((uow) => uow.run('delete from rate_windows'));
      }
      cells.set(keyOf(row), await cellsOf(row));
    }
    expect(cells.size).toBeGreaterThan(190);
  }, 900_000);

  it('are what docs/privileges.md says (npx vitest run test/privileges -u writes it)', async () => {
    await expect(document()).toMatchFileSnapshot('../../docs/privileges.md');
  });

  it('let no agent, script or issuer’s agent decide for a person', () => {
    const deciding = [...cells.keys()].filter((key) =>
      /^(inbox\.decide|approvals\.decide|review\.decide|memory\.proposals\.review|a2p\.proposals\.review)/.test(
        key,
      ),
    );
    expect(deciding.length).toBeGreaterThan(5);
    for (const key of deciding) {
      expect([key, agentCells(key).filter((cell) => cell === 'yes')]).toEqual([key, []]);
    }
  });

  it('let no agent make a person, set up presence or prove it', () => {
    for (const key of [
      'keys.create, for a person',
      'keys.create, that speaks for others',
      'invitations.create',
      'identity.login',
      'identity.passphrase_set',
    ]) {
      expect([key, agentCells(key).filter((cell) => cell === 'yes')]).toEqual([key, []]);
    }
  });

  it('let nobody but the owner have what everybody is told, and no agent be told in a person’s place', () => {
    for (const key of ['notifications.mail_set', 'notifications.mail_remove']) {
      const may = world.credentials.filter((_, at) => cells.get(key)?.[at] === 'yes');
      expect([key, may.map(({ column }) => column)]).toEqual([
        key,
        ['owner', 'owner’s page', 'owner’s page, present', 'owner’s login'],
      ]);
    }
    for (const key of ['notifications.add', 'notifications.change', 'notifications.remove']) {
      expect([key, agentCells(key).filter((cell) => cell === 'yes')]).toEqual([key, []]);
    }
  });

  it('leave high risk to people who proved that they are there', () => {
    const may = world.credentials
      .filter((_, at) => cells.get('inbox.decide, high risk')?.[at] === 'yes')
      .map(({ column }) => column);
    expect(may).toEqual(['owner’s page, present', 'owner’s login', 'person’s login']);
    expect(cells.get('inbox.decide_many, high risk')).toEqual(cells.get('inbox.decide, high risk'));
  });

  it('are nothing without a credential, except where an operation is open', () => {
    const open = served.filter(({ scope }) => scope === 'open').map(({ name }) => name);
    const reached = [...cells].filter(([, [none]]) => none === 'yes').map(([key]) => key);
    expect(reached.filter((key) => !open.includes(key))).toEqual([]);
  });
});

function agentCells(key: string): string[] {
  const from = world.credentials.length - world.agents.length;
  return (cells.get(key) ?? []).slice(from);
}

function document(): string {
  const { credentials } = world;
  const lines = [
    '# Privileges',
    '',
    'What every kind of credential may do, found by asking: `test/privileges` sends each operation with each of them and writes',
    'down the answer.',
    '',
    '| column | credential |',
    '|---|---|',
    ...credentials.map(({ column, what }) => `| ${column} | ${what} |`),
    '',
    'The owner and the person of these columns have set a passphrase. `yes`: done, or refused for nothing that has to do with who asks.',
    '`no`: the credential lacks the scope. `-`: there it is no credential at all. Anything else is the code of the refusal',
    '([errors.md](errors.md)); codes that begin with `A2P` are a2p’s own. A person’s key and an agent’s have the scopes of their',
    'roles; more scopes reach more operations, and no scope makes an agent a person.',
    '',
  ];
  const groups = groupsOf([...cells.keys()]);
  for (const [group, keys] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    lines.push(
      `## ${group}`,
      '',
      `| operation | ${credentials.map(({ column }) => column).join(' | ')} |`,
      `|---|${credentials.map(() => '---|').join('')}`,
      ...keys.sort().map((key) => `| ${shownKey(key)} | ${cells.get(key)!.join(' | ')} |`),
      '',
    );
  }
  return lines.join('\n');
}

function shownKey(key: string): string {
  const [name, ...note] = key.split(', ');
  return [`\`${name}\``, ...note].join(', ');
}

function groupsOf(keys: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const key of keys) {
    const group = key.split('.')[0]!;
    groups.set(group, [...(groups.get(group) ?? []), key]);
  }
  return groups;
}
