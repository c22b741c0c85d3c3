/** What each encrypted text is bound to, so that it opens in its own place only. */
export const parametersOf = (executionId: string) => `${executionId}:parameters`;
export const responseOf = (executionId: string) => `${executionId}:response`;
export const inputOf = (sessionId: string, requestId: string) => `${sessionId}:${requestId}`;
export const editedOf = (approvalId: string) => `${approvalId}:edited`;
export const callOf = (callId: string) => `${callId}:call`;
