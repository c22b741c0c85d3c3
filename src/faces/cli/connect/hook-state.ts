import type { ConnectionRecord } from './connection-record.ts';

export interface HookState {
  readonly client: string;
  readonly hooks: 'on' | 'off';
  readonly prompts: 'recorded' | 'left out';
}

/** What the person lets a client's hooks do in a repository. */
export function hookState({ editor, hooks, offIn = [] }: ConnectionRecord, root: string): HookState {
  const on = (hooks?.enabled ?? true) && !offIn.includes(root);
  return {
    client: editor,
    hooks: on ? 'on' : 'off',
    prompts: (hooks?.prompts ?? true) ? 'recorded' : 'left out',
  };
}
