/**
 * Codex runs a hook only once it is trusted, and skips others without a word. Whoever connects Codex has said yes, so the
 * hashes that Codex itself reports go into its configuration, as its own review would write them.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { asRecord, asRecords, asString } from '../../../kernel/json/loose.ts';
import type { Form } from './file-edits.ts';
import { isHookItem } from './hook-entries.ts';
import { scanToml } from './toml-scan.ts';

export interface HookState {
  /** `<path of hooks.json>:<event>:<group>:<handler>`. */
  readonly key: string;
  readonly hash: string;
  readonly trusted: boolean;
}

const PATIENCE_MS = 15_000;

/** What Codex thinks of our hooks; undefined where it does not answer. */
export async function codexHookStates(program: string, root: string): Promise<HookState[] | undefined> {
  const child = spawn(program, ['app-server'], { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] });
  const timer = setTimeout(() => child.kill(), PATIENCE_MS);
  child.stdin.on('error', () => undefined);
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  try {
    return await new Promise<HookState[] | undefined>((done) => {
      child.on('error', () => done(undefined));
      child.on('close', () => done(undefined));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { id, result } = read(line);
        if (id === 1) {
          send({ method: 'initialized' });
          send({ id: 2, method: 'hooks/list', params: { cwds: [root] } });
        }
        if (id === 2) done(result === undefined ? undefined : statesIn(result));
      });
      send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'baton', version: '1' } } });
    });
  } finally {
    clearTimeout(timer);
    child.kill();
  }
}

function read(line: string): { readonly id?: unknown; readonly result?: unknown } {
  try {
    return asRecord(JSON.parse(line));
  } catch {
    return {};
  }
}

function statesIn(result: unknown): HookState[] {
  return asRecords(asRecord(result).data).flatMap(({ hooks }) =>
    asRecords(hooks)
      .filter(({ command }) => isHookItem('codex', command))
      .map(({ key, currentHash, trustStatus }) => ({
        key: asString(key) ?? '',
        hash: asString(currentHash) ?? '',
        trusted: trustStatus === 'trusted' || trustStatus === 'managed',
      })),
  );
}

export function trustForm(states: readonly Pick<HookState, 'key' | 'hash'>[]): Form {
  const take = (text: string) => withoutTables(text, new Set(states.map(({ key }) => key)));
  return {
    put(text) {
      const eol = text.includes('\r\n') ? '\r\n' : '\n';
      const blocks = states.map(
        ({ key, hash }) =>
          `[hooks.state.${JSON.stringify(key)}]${eol}trusted_hash = ${JSON.stringify(hash)}${eol}`,
      );
      if (blocks.every((block) => text.includes(block))) return text;
      const rest = take(text);
      const gap = rest === '' ? '' : rest.endsWith('\n') ? eol : eol + eol;
      return `${rest}${gap}${blocks.join(eol)}`;
    },
    take,
    isEmpty: (text) => text.trim() === '',
  };
}

function withoutTables(text: string, keys: ReadonlySet<string>): string {
  const tables = scanToml(text) ?? [];
  const ours = tables.filter(
    ({ path }) => path.length === 3 && path[0] === 'hooks' && path[1] === 'state' && keys.has(path[2] ?? ''),
  );
  return ours.reduceRight((left, { start, end }) => {
    const before = left.slice(0, start);
    const gap = /(?:^|\n)(\r?\n)$/.exec(before)?.[1] ?? '';
    return before.slice(0, before.length - gap.length) + left.slice(end);
  }, text);
}
