/** `baton-conformance`: judges any server, without having one. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { BatonError } from '../../../src/kernel/error.ts';
import { BACKENDS } from './relay/index.ts';
import { judgeAgentic, judgeAgentXchain, judgeCra, judgeRelay, type RelayCall } from './suites.ts';

const USAGE = `Usage: baton-conformance <suite> --url <url> [options]

Suites:
  agentic      the Agentic Protocol 0.1
                 --level L0|L1|L2|L3, --report json|junit|md, --actor <type:id>, --strict
  cra          CRA 1.0 (CARP, TRACE, Atlas)
                 --other-token <token>, --executor <name>, --only <prefix>, --report json|md
  agentxchain  AgentXchain v7, against a server that answers /conform or a directory (--target <dir>)
                 --tier 1|2|3, --surface <name>, --fixtures <dir>, --timeout <ms>, --json, --strict
  relay        a relay of A2A messages, judged by what its trace backend kept
                 --backend ${BACKENDS.join('|')}, --collector <url>, --collector-token <token>,
                 --query <url>, --project <name>, --timeout <seconds>, --json

Options:
  --url <url>      the server
  --token <token>  a credential for it; BATON_TOKEN unless given

Exit codes: 0 passed, 1 failed, 2 could not be judged.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const SERVER = { url: text, token: text, help: { ...flag, short: 'h' } } as const;

type Options = NonNullable<ParseArgsConfig['options']>;
type Values = Readonly<Record<string, string | undefined>>;
interface Suite {
  readonly options: Options;
  run(values: Values, flags: { readonly strict: boolean; readonly json: boolean }): Promise<number>;
}

/** The corpus that comes with the package; a target directory brings its own. */
const FIXTURES = fileURLToPath(new URL('./agentxchain-fixtures', import.meta.url));

const suites: Readonly<Record<string, Suite>> = {
  agentic: {
    options: { level: text, report: text, actor: text, strict: flag },
    async run(values, { strict }) {
      const level = oneOf('--level', values.level ?? 'L3', ['L0', 'L1', 'L2', 'L3']);
      const report = values.report && oneOf('--report', values.report, ['json', 'junit', 'md']);
      const options = {
        level,
        strict,
        ...(report && { report }),
        ...(values.actor && { actor: values.actor }),
      };
      return print(await judgeAgentic(serverOf(values), options, showStep));
    },
  },
  cra: {
    options: { 'other-token': text, executor: text, only: text, report: text },
    async run({ 'other-token': otherToken, executor, only, report: form, ...values }) {
      const report = form && oneOf('--report', form, ['json', 'md']);
      const options = {
        ...(otherToken && { otherToken }),
        ...(executor && { executor }),
        ...(only && { only }),
        ...(report && { report }),
      };
      return print(await judgeCra(serverOf(values), options, showStep));
    },
  },
  agentxchain: {
    options: {
      target: text,
      tier: text,
      surface: text,
      fixtures: text,
      timeout: text,
      json: flag,
      strict: flag,
    },
    async run({ url, target, token, surface, fixtures, timeout, tier = '1' }, { json, strict }) {
      const corpus = fixtures ?? (target === undefined && existsSync(FIXTURES) ? FIXTURES : undefined);
      const credential = token ?? (url === undefined ? undefined : process.env.BATON_TOKEN);
      const { code, text } = await judgeAgentXchain(
        {
          json,
          strict,
          tier: numberOf('--tier', tier),
          ...(url !== undefined && { remote: url }),
          ...(target !== undefined && { target }),
          ...(surface !== undefined && { surface }),
          ...(corpus !== undefined && { fixtures: corpus }),
          ...(credential !== undefined && { token: credential }),
          ...(timeout !== undefined && { timeoutMs: numberOf('--timeout', timeout) }),
        },
        showStep,
      );
      process.stdout.write(text);
      return code;
    },
  },
  relay: {
    options: {
      backend: text,
      collector: text,
      'collector-token': text,
      query: text,
      project: text,
      timeout: text,
      json: flag,
    },
    async run(values, { json }) {
      const { url, token } = serverOf(values);
      const { collector, 'collector-token': collectorToken, query, project = 'default' } = values;
      const options = {
        backend: oneOf('--backend', values.backend ?? 'baton', BACKENDS),
        timeout: numberOf('--timeout', values.timeout ?? '10'),
        project,
        json,
        ...(collector && { collector }),
        ...(collectorToken && { collectorToken }),
        ...(query && { query }),
      };
      return print(await judgeRelay(url, (name, input) => callRelay(url, token, name, input), options));
    },
  },
};

const ROUTES: Readonly<Record<RelayCall, readonly [method: string, path: string]>> = {
  'keys.create': ['POST', '/v1/keys'],
  'keys.revoke': ['DELETE', '/v1/keys/{key_id}'],
  'relay.peer.register': ['POST', '/v1/relay/peers'],
  'relay.peer.remove': ['DELETE', '/v1/relay/peers/{id}'],
};

async function callRelay(
  url: string,
  token: string | undefined,
  name: RelayCall,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const [method, path] = ROUTES[name];
  const filled = path.replace(/\{(\w+)\}/, (_, part: string) => encodeURIComponent(String(input[part])));
  const response = await fetch(`${url.replace(/\/+$/, '')}${filled}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(method === 'POST' && { body: JSON.stringify(input) }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${method} ${filled} answered ${response.status}: ${body}`);
  return body === '' ? undefined : JSON.parse(body);
}

function print({ passed, text }: { readonly passed: boolean; readonly text: string }): number {
  process.stdout.write(text);
  return passed ? 0 : 1;
}

function showStep(done: number, total: number, label: string): void {
  if (process.stderr.isTTY)
    process.stderr.write(done === total ? '\x1b[2K\r' : `\x1b[2K\r${done}/${total} ${label}`);
}

class UsageError extends Error {}

function serverOf({ url, token }: Values): { url: string; token: string | undefined } {
  if (url === undefined) throw new UsageError('Give the server with --url.');
  return { url, token: token ?? process.env.BATON_TOKEN };
}

function oneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`${name} is one of ${choices.join(', ')}.`);
  return found;
}

function numberOf(name: string, value: string): number {
  const number = Number(value);
  if (!(number > 0)) throw new UsageError(`${name} is a number above zero.`);
  return number;
}

/** One sentence about a server that is down, instead of a failure for every case. */
async function requireAnswer(url: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new UsageError(`The server at ${url} does not answer.`);
  });
}

async function main([name = '', ...args]: readonly string[]): Promise<number> {
  const suite = Object.hasOwn(suites, name) ? suites[name] : undefined;
  if (suite === undefined || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return suite || name === '--help' || name === '-h' ? 0 : 2;
  }
  const { strict, json, ...values } = parseArgs({ args, options: { ...SERVER, ...suite.options } })
    .values as Record<string, unknown>;
  if (typeof values.url === 'string') await requireAnswer(values.url);
  return suite.run(values as Values, { strict: strict === true, json: json === true });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const { message } = error as Error;
  const next = error instanceof BatonError ? error.next : 'See baton-conformance --help.';
  process.stderr.write(`${message}\n→ ${next}\n`);
  process.exitCode = 2;
}
