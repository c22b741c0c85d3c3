/**
 * `baton hook CLIENT`: reads a client's message and answers in its form; with `--stay` one after another, a line each,
 * for a client whose own plugin can keep a process. It loads as little as it can, and whatever is
 * broken, the client goes on: exit code 0 and silence, with a line in the log of its own. Only a call that an Atlas denies
 * stays denied without a store, by the repository's rules if they are those that were loaded; and where Baton is there and
 * fails over a call, one that enforces is not passed by because those cannot be read.
 */
import { readFileSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ProjectFile } from '../../faces/cli/connect/binding.ts';
import { findServer } from '../server-file.ts';
import type { HookConnection } from './connection.ts';
import { logFailure } from './hook-log.ts';
import { eventName, readMessage } from './message.ts';
import { isNotJudged, NotJudged } from './not-judged.ts';
import { post } from './post.ts';
import { DECIDING, type Environment, type HookOptions, type HookRequest, hookRequest } from './request.ts';

export interface Answer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit_code: number;
}

/** Only told: nobody waits for an answer. */
const TELLING =
  /^(?:PostToolUse|PostToolUseFailure|AfterTool|postToolUse|postToolUseFailure|after\w+|tool\.execute\.after)$/;
const SILENCE: Answer = { exit_code: 0 };
const ANSWER_MILLIS = 8_000;
const DEFAULT_WAIT_SECONDS = 45;

/** Answers the exit code. */
export async function runHook(argv: readonly string[], env: Environment): Promise<number> {
  const options = readOptions(argv, env);
  if (argv.includes('--stay')) {
    const { answerLines } = await import('./answer-lines.ts');
    await answerLines((message) => answerSafely(options, env, message, true), writeAll);
    await closeStores?.();
    return 0;
  }
  const answer = await answerSafely(options, env, readFileSync(0, 'utf8'), false);
  if (answer.stderr) writeSync(2, answer.stderr);
  if (answer.stdout) writeAll(answer.stdout);
  return answer.exit_code;
}

/** Set once a process that stays has opened a store. */
let closeStores: (() => Promise<void>) | undefined;

async function answerSafely(
  options: HookOptions,
  env: Environment,
  text: string,
  stays: boolean,
): Promise<Answer> {
  try {
    return await answerTo(options, env, text, stays);
  } catch (error) {
    logFailure(options.dataDir, `hook ${options.client}`, error);
    return SILENCE;
  }
}

/** `CLIENT [--data DIR]`; anything else is left alone. */
function readOptions(argv: readonly string[], env: Environment): HookOptions {
  const at = argv.indexOf('--data');
  const data = at < 0 ? undefined : argv[at + 1];
  return {
    client: argv[0] ?? '',
    dataDir: resolve(data ?? env.BATON_DATA ?? join(homedir(), '.baton')),
  };
}

async function answerTo(
  options: HookOptions,
  env: Environment,
  text: string,
  stays: boolean,
): Promise<Answer> {
  const message = readMessage(text);
  if (!message) throw new Error('the client wrote no JSON object');
  const request = await hookRequest(options, env, message);
  return request ? ask({ ...options, ...request, event: eventName(message), stays }) : SILENCE;
}

interface Question extends HookOptions {
  readonly connection: HookConnection;
  readonly repository: ProjectFile;
  readonly event: string;
  /** The process answers further events. */
  readonly stays: boolean;
  readonly body: HookRequest;
}

async function ask(question: Question): Promise<Answer> {
  const { client, dataDir, connection, event, body } = question;
  const url = connection.url ?? (connection.databaseUrl === undefined ? findServer(dataDir)?.url : undefined);
  try {
    if (url === undefined) {
      const { hookOnStore, hookOnKeptStore, closeKeptStores } = await import('./on-store.ts');
      if (!question.stays) return await hookOnStore(dataDir, connection, client, body);
      closeStores = closeKeptStores;
      return await hookOnKeptStore(dataDir, connection, client, body);
    }
    const waits = DECIDING.test(event) ? (body.wait_seconds ?? DEFAULT_WAIT_SECONDS) : 0;
    const posted = await post({
      url: `${url.replace(/\/$/, '')}/v1/hooks/${encodeURIComponent(client)}`,
      token: connection.token,
      body: JSON.stringify(body),
      timeoutMillis: waits * 1_000 + ANSWER_MILLIS,
      sendOnly: TELLING.test(event),
    });
    if (posted === undefined) return SILENCE;
    if (posted.status !== 200) {
      const refusal = `the server answered ${posted.status}: ${posted.text.slice(0, 300)}`;
      throw isNotJudged(posted.status) ? new NotJudged(refusal) : new Error(refusal);
    }
    return JSON.parse(posted.text) as Answer;
  } catch (error) {
    logFailure(dataDir, `hook ${client} ${event}`, error);
    if (!DECIDING.test(event)) return SILENCE;
    const { localAnswer, closedAnswer } = await import('./local-rules.ts');
    return await localAnswer(client, connection, question.repository, body).catch((cause: unknown) => {
      logFailure(dataDir, `local rules ${client} ${event}`, cause);
      // Baton is there, and failed over this very message: whoever wrote that must not pass by it.
      return error instanceof NotJudged ? closedAnswer(client, connection, body) : SILENCE;
    });
  }
}

/** A pipe takes what fits; the rest is written as the client reads. */
function writeAll(text: string): void {
  let left = Buffer.from(text);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
