/** A request of A2A 0.3 that says one thing. */
export function a2aRequest(method: string, text: string, contextId: string, more: object = {}): string {
  const parts = [{ kind: 'text', text }];
  const message = { kind: 'message', messageId: `m-${contextId}`, role: 'user', contextId, parts, ...more };
  return JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { message } });
}
