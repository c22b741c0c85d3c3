import { hash } from 'node:crypto';
import type { Hasher } from '../kernel/hasher.ts';

export const nodeHasher: Hasher = {
  hex: (data) => hash('sha256', data, 'hex'),
  bytes: (data) => hash('sha256', data, 'buffer'),
};
