/** The `content-security-policy` of what somebody else wrote: a browser that is led to it runs nothing of it as ours. */
export const SHUT_IN = "default-src 'none'; sandbox";
