/** For tests: a server, a repository that is bound to a project, and clients that speak to it as their hooks do. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENT_ACTIONS } from '../../src/slices/agents/clients/actions.ts';
import { startTestServer, type TestServer } from '../setup/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Any = any;

export interface Workplace {
  readonly server: TestServer;
  readonly root: string;
  /** Sends a client's message as the hook program does; answers what the hook would write. */
  hook(client: string, message: Record<string, unknown>, body?: Record<string, unknown>): Promise<Any>;
  /** A request as somebody. */
  ask(token: string, path: string, init?: RequestInit): Promise<{ status: number; body: Any }>;
  key(client: string): string;
  close(): Promise<void>;
}

export const PROJECT = 'shop';

export function newRepository(folder: string): string {
  const root = join(folder, 'shop');
  mkdirSync(join(root, '.baton'), { recursive: true });
  writeFileSync(join(root, '.baton', 'project.json'), `${JSON.stringify({ project: PROJECT })}\n`);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
  git('init', '-q');
  git('config', 'user.email', 'a@example.com');
  git('config', 'user.name', 'A');
  return realpathSync(root);
}

/** An Atlas with rules for a few calls; everything else is free. */
export function rules(mode: 'enforce' | 'log_only' = 'enforce') {
  const when = (test: Record<string, unknown>) => ({ when: test });
  return {
    mode,
    manifest: {
      atlas_version: '1.0',
      atlas_id: 'local.shop',
      version: '1.0.0',
      name: 'Rules of the shop',
      description: 'For tests.',
      actions: AGENT_ACTIONS,
      policies: [
        { policy_id: 'free', type: 'allow', actions: ['*'] },
        {
          policy_id: 'no-force',
          type: 'deny',
          actions: ['shell.run'],
          parameters: {
            ...when({ program: 'git', flags: { contains: '--force' } }),
            reason: 'History is not rewritten',
          },
        },
        {
          policy_id: 'own-rules',
          type: 'deny',
          actions: ['file.write', 'file.delete'],
          parameters: when({ zone: 'rules' }),
        },
        {
          policy_id: 'ask-push',
          type: 'require_approval',
          actions: ['shell.run'],
          parameters: { ...when({ program: 'git', subcommand: 'push' }), reason: 'Pushing is public' },
        },
        {
          policy_id: 'ask-publish',
          type: 'require_approval',
          actions: ['shell.run'],
          parameters: { ...when({ program: 'npm', subcommand: 'publish' }), approvers: ['owner'] },
        },
      ],
    },
  };
}

export async function newWorkplace(clients: readonly string[] = ['claude-code']): Promise<Workplace> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-agents-'));
  const server = await startTestServer();
  const root = newRepository(folder);
  const ask: Workplace['ask'] = async (token, path, init = {}) => {
    const answer = await fetch(`${server.url}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: text === '' ? undefined : /^[{[]/.test(text) ? JSON.parse(text) : text,
    };
  };
  const post = (token: string, path: string, body: unknown) =>
    ask(token, path, { method: 'POST', body: JSON.stringify(body) });
  await post(server.ownerToken, '/v1/projects', { project_id: PROJECT, name: 'Shop' });
  const keys = new Map<string, string>();
  for (const client of clients) {
    const { body } = await post(server.ownerToken, '/v1/keys', {
      actor_id: client,
      actor_type: 'agent',
      role: 'agent',
      projects: [PROJECT],
      default_project: PROJECT,
    });
    keys.set(client, body.token);
  }
  const key = (client: string) => keys.get(client) ?? '';
  return {
    server,
    root,
    ask,
    key,
    async hook(client, message, body = {}) {
      const place = {
        cwd: root,
        root,
        home: '/home/u',
        data: server.dataDir,
        temporary: '/tmp',
        platform: 'linux',
      };
      const answer = await post(key(client), `/v1/hooks/${client}`, {
        message: { session_id: 's-1', cwd: root, ...message },
        place,
        wait_seconds: 0,
        ...body,
      });
      if (answer.status !== 200) return { status: answer.status, code: answer.body.error.code };
      const { stdout } = answer.body;
      return stdout === undefined ? undefined : JSON.parse(stdout);
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
