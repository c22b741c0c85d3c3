import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asRecord, asRecords, isString, type LooseRecord } from '../../../kernel/json/loose.ts';
import { systemClock } from '../../../platform/index.ts';
import { parseDocument } from '../parse.ts';
import { containedPath, isReservedPath } from '../path-rules.ts';
import { writeAtomically } from '../repository/files.ts';
import { git } from '../repository/git.ts';
import { within } from '../repository/paths.ts';
import { documentText } from '../repository/repository.ts';
import { apiProxyAdapter } from './api-proxy.ts';

export interface ModelTurn {
  readonly provider: string;
  readonly model: string;
  readonly apiKeyEnv?: string;
  readonly baseUrl?: string;
  readonly maxOutputTokens?: number;
  readonly pricing?: LooseRecord;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

const SHOWN_FILES = 60;
const SHOWN_CHARACTERS = 120_000;

/**
 * Plays a coding agent with a bare model: shows it the prompt, the context and the files, writes the files that it
 * answers with into the work tree, and stages its result. The turn is then judged like any other. Returns why it failed.
 */
export async function takeModelTurn(options: ModelTurn): Promise<string | undefined> {
  const { AGENTXCHAIN_DISPATCH_DIR: bundle, AGENTXCHAIN_STAGING_PATH: staging } = options.env;
  if (!bundle || !staging)
    return 'This program is a runtime: `baton run step` starts it with a turn to take.';
  const assignment = asRecord(parseDocument(await readFile(join(bundle, 'ASSIGNMENT.json'))));
  const prompt = await readFile(join(bundle, 'PROMPT.md'), 'utf8');
  const context = await readFile(join(bundle, 'CONTEXT.md'), 'utf8');
  const outcome = await apiProxyAdapter({
    root: options.cwd,
    turn: assignment as never,
    phase: String(assignment.phase),
    runtime: {
      type: 'api_proxy',
      provider: options.provider,
      model: options.model,
      ...(options.apiKeyEnv !== undefined && { api_key_env: options.apiKeyEnv }),
      ...(options.baseUrl !== undefined && { base_url: options.baseUrl }),
      ...(options.maxOutputTokens !== undefined && { max_output_tokens: options.maxOutputTokens }),
      pricing: options.pricing ?? {},
    },
    bundleDir: bundle,
    stagingFile: staging,
    prompt: `${prompt}\n${HOW_TO_WRITE}`,
    context: `${context}\n${await filesText(options.cwd)}`,
    clock: systemClock,
    timeoutMs: 60 * 60 * 1000,
  });
  if (outcome.kind !== 'result')
    return outcome.kind === 'failed' ? outcome.message : 'The model did not answer.';
  const { proposed_changes: changes, ...result } = asRecord(outcome.result);
  const written = await applyChanges(options.cwd, asRecords(changes));
  const files = written.length > 0 ? { files_changed: written, artifact: { type: 'workspace' } } : {};
  await writeAtomically(staging, documentText({ ...result, ...files }));
  return undefined;
}

const HOW_TO_WRITE = `## How you write files

You have no shell. Answer with the JSON object itself instead of writing it to a file. Put every file that you create,
change or delete into \`proposed_changes\`: [{"path": "…", "action": "create" | "modify" | "delete", "content": "the whole
new content"}]. They are written into the work tree for you, and \`files_changed\` is filled in. You cannot run commands:
set \`verification.status\` to \`skipped\`, unless the text above asks for a pass that you can attest.`;

async function applyChanges(cwd: string, changes: readonly LooseRecord[]): Promise<readonly string[]> {
  const written: string[] = [];
  for (const { path: named, action, content } of changes) {
    const path = isString(named) ? containedPath(named) : undefined;
    if (path === undefined || isReservedPath(path) || path.startsWith('.git/')) continue;
    if (action === 'delete') await rm(within(cwd, path), { force: true });
    else if (isString(content)) await writeAtomically(within(cwd, path), content);
    else continue;
    written.push(path);
  }
  return written;
}

/** The files of a small repository, as far as they fit. */
async function filesText(cwd: string): Promise<string> {
  const names = ((await git(cwd, ['ls-files', '-z'])) ?? '').split('\0').filter((name) => name !== '');
  const product = names.filter((name) => !name.startsWith('.agentxchain/'));
  const parts = ['## Files in the work tree', '', ...product.slice(0, 500).map((name) => `- ${name}`)];
  let room = SHOWN_CHARACTERS;
  for (const name of product.slice(0, SHOWN_FILES)) {
    const text = await readFile(within(cwd, name), 'utf8').catch(() => '');
    if (text === '' || text.includes('\0') || text.length > room) continue;
    room -= text.length;
    parts.push('', `### ${name}`, '', '````', text, '````');
  }
  return parts.join('\n');
}
