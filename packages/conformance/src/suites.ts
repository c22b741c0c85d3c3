/** The four suites as both programs run them: `baton conformance …` and `baton-conformance`. */
import pc from 'picocolors';
import { WebSocket } from 'ws';
import { toHex } from '../../../src/kernel/hex.ts';
import { cited, inline, named } from '../../../src/kernel/quoted.ts';
import { visibleJson } from '../../../src/kernel/visible-text.ts';
import { nodeHasher, nodeRandom, systemClock } from '../../../src/platform/index.ts';
import { publishedSchemas } from '../../../src/slices/governance/published-schemas/schemas.ts';
import { httpTarget, type Level, type ReportForm, renderReport, runSuite } from './agentic/index.ts';
import { type CheckOptions, checkConformance, EXIT_CODES, reportText } from './agentxchain/index.ts';
import { craCases } from './cra/cases/index.ts';
import { type CraReport, runCraConformance } from './cra/index.ts';
import { type BackendName, harnessText, openBackend, runHarness } from './relay/index.ts';

/** What a suite found, as text to print. */
export interface Judged {
  readonly passed: boolean;
  readonly text: string;
}

export type OnStep = (done: number, total: number, label: string) => void;

interface Server {
  readonly url: string;
  readonly token: string | undefined;
}

const TIMEOUT_MS = 10_000;

/** Characters of what a server said. */
const MOST = 1000;

export interface AgenticOptions {
  readonly level: Level;
  readonly report?: ReportForm;
  readonly actor?: string;
  readonly strict?: boolean;
}

export async function judgeAgentic(server: Server, options: AgenticOptions, onStep: OnStep): Promise<Judged> {
  const [type, id] = options.actor?.split(':') ?? [];
  const report = await runSuite({
    target: httpTarget(server.url, server.token),
    level: options.level,
    run: toHex(nodeRandom.bytes(6)),
    actor: type && id ? { type, id } : undefined,
    onResult: ({ check }, done, total) => onStep(done, total, `${check.id} ${check.title}`),
  });
  const strictly = !report.results.some(
    ({ outcome, check }) => outcome === 'warn' && check.weight === 'SHOULD',
  );
  return {
    passed: report.passed && (strictly || !options.strict),
    text: renderReport(report, options.report ?? 'text'),
  };
}

export interface CraOptions {
  readonly otherToken?: string;
  readonly executor?: string;
  readonly only?: string;
  readonly report?: 'json' | 'md';
}

export async function judgeCra(server: Server, options: CraOptions, onStep: OnStep): Promise<Judged> {
  let done = 0;
  const report = await runCraConformance({
    baseUrl: server.url,
    ...(server.token !== undefined && { token: server.token }),
    ...(options.otherToken !== undefined && { otherToken: options.otherToken }),
    ...(options.executor !== undefined && { executor: options.executor }),
    ...(options.only !== undefined && { only: options.only }),
    schemas: publishedSchemas(),
    clock: systemClock,
    random: nodeRandom,
    hasher: nodeHasher,
    timeoutMs: TIMEOUT_MS,
    openSocket: firstMessages,
    onResult: ({ test_id: id }) => {
      done += 1;
      onStep(done, craCases.length, id);
    },
  });
  return {
    passed: report.test_run.failed === 0 && report.test_run.total > 0,
    text: `${craText(report, options.report)}\n`,
  };
}

async function firstMessages(url: string, token: string | undefined, count: number): Promise<string[]> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, { headers, handshakeTimeout: TIMEOUT_MS });
  const messages: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${messages.length} of ${count} messages came over the WebSocket in time`)),
        TIMEOUT_MS,
      );
      socket.on('message', (data) => {
        messages.push(String(data));
        if (messages.length >= count) resolve();
      });
      socket.on('error', reject);
      socket.on('close', () => reject(new Error('the WebSocket was closed before the messages came')));
    });
    return messages;
  } finally {
    clearTimeout(timer);
    socket.terminate();
  }
}

function craText(report: CraReport, form: CraOptions['report']): string {
  if (form === 'json') return visibleJson(JSON.stringify(report, null, 2));
  return form === 'md' ? asMarkdown(report) : asText(report);
}

function asText({ implementation, version, conformance_level: level, test_run, results }: CraReport): string {
  const { total, passed, failed, skipped, duration_ms } = test_run;
  const lines = results
    .filter(({ status }) => status !== 'passed')
    .map(({ test_id: id, status, error = '' }) => {
      const colour = status === 'failed' ? pc.red : pc.yellow;
      return `  ${colour(status.padEnd(7))}  ${id}  ${pc.dim(inline(error, MOST))}`;
    });
  return [
    `${pc.bold(inline(implementation))} ${inline(version)}: ${failed === 0 ? pc.green(level) : pc.red(level)}`,
    `  ${total} cases in ${(duration_ms / 1000).toFixed(1)} s: ${passed} passed, ${failed} failed, ${skipped} skipped`,
    ...lines,
  ].join('\n');
}

function asMarkdown({ implementation, version, conformance_level, test_run, results }: CraReport): string {
  const cell = (text: string) => inline(text, MOST).replaceAll('|', '\\|');
  return [
    '# CRA conformance',
    '',
    `- Implementation: ${cited(implementation)} ${named(version)}`,
    `- Level: **${conformance_level}**`,
    `- Run: ${test_run.timestamp}, ${test_run.duration_ms} ms`,
    `- Cases: ${test_run.total}; ${test_run.passed} passed, ${test_run.failed} failed, ${test_run.skipped} skipped`,
    '',
    '| Case | Result | Why |',
    '| --- | --- | --- |',
    ...results.map(({ test_id: id, status, error = '' }) => `| ${id} | ${status} | ${cell(error)} |`),
  ].join('\n');
}

export interface AgentXchainOptions extends Omit<CheckOptions, 'clock' | 'onFixture'> {
  readonly json: boolean;
}

/** `code`: what a verifier's caller can tell apart (passed, failed, could not be judged). */
export async function judgeAgentXchain(
  { json, ...options }: AgentXchainOptions,
  onStep: OnStep,
): Promise<{ readonly code: number; readonly text: string }> {
  const report = await checkConformance({
    ...options,
    clock: systemClock,
    onFixture: (fixtureId, _status, done, total) => onStep(done, total, fixtureId),
  });
  return {
    code: EXIT_CODES[report.overall],
    text: json ? `${visibleJson(JSON.stringify(report, null, 2))}\n` : reportText(report),
  };
}

export interface RelayOptions {
  readonly backend: BackendName;
  readonly collector?: string;
  readonly collectorToken?: string;
  readonly query?: string;
  readonly project?: string;
  /** In seconds. */
  readonly timeout: number;
  readonly json?: boolean;
}

/** Plays the worked example with a key and a peer of its own; `call` asks an operation of the relay under test. */
export async function judgeRelay(
  relay: string,
  call: (name: RelayCall, input: Readonly<Record<string, unknown>>) => Promise<unknown>,
  options: RelayOptions,
): Promise<Judged> {
  const speaker = `harness-${toHex(nodeRandom.bytes(4))}`;
  const key = (await call('keys.create', {
    actor_id: speaker,
    actor_type: 'agent',
    scopes: ['relay:send', 'trace:read', 'trace:write'],
  })) as { readonly key_id: string; readonly token: string };
  try {
    const isBaton = options.backend === 'baton';
    const token = options.collectorToken ?? (isBaton ? key.token : undefined);
    const backend = openBackend(options.backend, {
      collector: options.collector ?? (isBaton ? relay : undefined),
      asked: options.query,
      project: options.project,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      since: systemClock.now(),
    });
    const report = await runHarness({
      relay,
      headers: { 'x-baton-key': key.token },
      ...backend,
      clock: systemClock,
      random: nodeRandom,
      speaker,
      register: async (id, url) => {
        await call('relay.peer.register', { id, url, role: 'worker' });
        return async () => {
          await call('relay.peer.remove', { id });
        };
      },
      timeoutMs: options.timeout * 1000,
    });
    return {
      passed: report.passed,
      text: options.json ? `${visibleJson(JSON.stringify(report))}\n` : harnessText(report),
    };
  } finally {
    await call('keys.revoke', { key_id: key.key_id });
  }
}

export type RelayCall = 'keys.create' | 'keys.revoke' | 'relay.peer.register' | 'relay.peer.remove';
