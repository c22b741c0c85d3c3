import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type BenchCase, type Fact, median, quantile } from '../harness.ts';

/** The bundle of a case stands as deep in the checkout as this file. */
const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const BATON = join(ROOT, 'dist', 'baton.js');
const SERVER = join(ROOT, 'src/slices/governance/gateway/testing/full-server.mjs');
const CALLS = Number(process.env.BENCH_GATEWAY_CALLS ?? 1000);
const WARM_UP = 200;
const MOST_TIMES = 5;

const run = promisify(execFile);

async function client(args: readonly string[], env: Record<string, string>): Promise<Client> {
  const made = new Client({ name: 'bench', version: '1' });
  await made.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], env, stderr: 'ignore' }),
  );
  return made;
}

interface Times {
  readonly direct: readonly number[];
  readonly through: readonly number[];
}

/** One after another in turns, so that whatever else the machine does meets both alike. */
async function inTurns(direct: Client, through: Client, tool: string, args: object): Promise<Times> {
  const times = { direct: [] as number[], through: [] as number[] };
  const timed = async (side: Client, name: string, into: number[]) => {
    const began = performance.now();
    const { isError } = await side.callTool({ name, arguments: { ...args } });
    into.push(performance.now() - began);
    if (isError) throw new Error(`${name} failed`);
  };
  for (let n = 0; n < CALLS + WARM_UP; n += 1) {
    await timed(direct, tool, times.direct);
    await timed(through, `notes_${tool}`, times.through);
  }
  return { direct: times.direct.slice(WARM_UP), through: times.through.slice(WARM_UP) };
}

function factsOf(title: string, { direct, through }: Times, most?: number): Fact[] {
  const times = median(through) / median(direct);
  return [
    { name: `${title}, direct, p50`, value: median(direct), unit: 'ms' },
    { name: `${title}, through the gateway, p50`, value: median(through), unit: 'ms' },
    { name: `${title}, through the gateway, p95`, value: quantile(through, 0.95), unit: 'ms' },
    {
      name: `${title}, times as long`,
      value: times,
      unit: '×',
      ...(most !== undefined && {
        goal: { text: `at most ${most} times the direct call`, met: times <= most },
      }),
    },
  ];
}

export const benchCase: BenchCase = {
  name: 'gateway',
  title: 'A tool called through the gateway and directly',
  async prepare() {
    const folder = await mkdtemp(join(tmpdir(), 'baton-bench-gateway-'));
    const config = join(folder, 'gateway.json');
    const servers = { notes: { command: process.execPath, args: [SERVER] } };
    const policies = [{ policy_id: 'all', type: 'allow' }];
    await writeFile(config, JSON.stringify({ agent_id: 'bench', goal: 'Measure', servers, policies }));
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      BATON_DATA: join(folder, 'data'),
      NO_COLOR: '1',
    };
    await run(process.execPath, [BATON, 'gateway', '--config', config, '--load'], { env });
    const made = await run(
      process.execPath,
      [BATON, 'keys', 'create', 'bench', '--actor-type', 'agent', '--json'],
      { env },
    );
    const { token } = JSON.parse(made.stdout);
    const direct = await client([SERVER], env);
    const through = await client([BATON, 'gateway', '--config', config], { ...env, BATON_TOKEN: token });
    const reading = await inTurns(direct, through, 'read_note', { id: 'a' });
    const writing = await inTurns(direct, through, 'write_note', { id: 'b', text: 'x' });
    return {
      facts: [
        ...factsOf('a tool that only reads', reading, MOST_TIMES),
        // Its intent is on the disk before it runs, so this is the disk's figure.
        ...factsOf('a tool that writes', writing),
      ],
      async close() {
        await direct.close();
        await through.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  },
};
