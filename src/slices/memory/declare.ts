/** Error lists and paths that the slice's declarations share. */

export const missing = ['memory_profile_missing', 'A2P002', 'A2P004'] as const;
export const byId = [...missing, 'A2P003'] as const;
export const badInput = [...missing, 'A2P006', 'A2P010', 'A2P023', 'A2P024'] as const;

export const at = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, status = 200) =>
  ({ method, path: `/v1/memory${path}`, status }) as const;
