/** What a client's hook says and is told, whichever client it is. */

export type HookEvent =
  /** `compact`: the conversation was shortened, and whatever was said at its start is gone. */
  | { readonly kind: 'start'; readonly source: 'startup' | 'resume' | 'clear' | 'compact' }
  | { readonly kind: 'prompt'; readonly text: string; readonly person: boolean }
  | { readonly kind: 'before'; readonly call: ToolCall }
  | { readonly kind: 'after'; readonly call: ToolCall; readonly result: ToolResult }
  /** The end of a turn. */
  | { readonly kind: 'stop'; readonly lastMessage?: string | undefined }
  /** The conversation is about to be shortened. */
  | { readonly kind: 'compacting' }
  | { readonly kind: 'end'; readonly reason: string }
  /** Nothing that concerns us. */
  | { readonly kind: 'other' };

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The client's id of the call; absent where it has none. */
  readonly id?: string | undefined;
}

export interface ToolResult {
  /** Undefined where the client does not say. */
  readonly ok: boolean | undefined;
  readonly text: string;
}

export interface HookMessage {
  /** The client's own id of the conversation. */
  readonly session: string;
  /** The subagent that speaks, inside a conversation or as one of its own. */
  readonly subagent?: { readonly id: string; readonly kind: string } | undefined;
  /** The conversation that this one is part of, where subagents have their own. */
  readonly parent?: string | undefined;
  readonly event: HookEvent;
  /** The client itself says that nobody is there. */
  readonly headless: boolean;
}

/** What the client is told. */
export type Reply =
  | { readonly kind: 'silence' }
  | { readonly kind: 'context'; readonly text: string }
  | { readonly kind: 'deny'; readonly reason: string }
  /** Only where `asks` is true. */
  | { readonly kind: 'ask'; readonly reason: string };

/** What the hook's process does: the client's own form. */
export interface HookAnswer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exit_code: number;
}

export interface Client {
  readonly name: string;
  readonly title: string;
  /** Whether it asks the person itself when a hook says so. Codex and Gemini run the call instead. */
  readonly asks: boolean;
  /** Undefined for what is no message of this client. */
  read(message: Readonly<Record<string, unknown>>): HookMessage | undefined;
  answer(message: Readonly<Record<string, unknown>>, reply: Reply): HookAnswer;
}

export const SILENCE: HookAnswer = { exit_code: 0 };

export const json = (value: unknown): HookAnswer => ({ stdout: `${JSON.stringify(value)}\n`, exit_code: 0 });
