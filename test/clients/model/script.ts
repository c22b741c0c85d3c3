/** What a scripted model does next, in words that every client's tools have. */
export type Act =
  | { readonly say: string }
  | { readonly shell: string }
  | { readonly read: string }
  | { readonly write: string; readonly content: string }
  /** A subagent that gets its own steps from the same script. */
  | { readonly delegate: string }
  /** A tool of the client's own, or of an MCP server, by the name that the client gives it. */
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/** `tokens` is the size of the context that the model claims to have seen: a large one makes the client compact. */
export type Step = Act & { readonly tokens?: number };

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a step becomes on a client's wire: words, or a call of the client's tool. */
export type Turn =
  | { readonly text: string; readonly tokens: number }
  | { readonly call: ToolCall; readonly tokens: number };
