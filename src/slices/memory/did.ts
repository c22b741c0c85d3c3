import { portableHasher } from '../../kernel/sha256.ts';
import { memoryErrors } from './errors.ts';

const DID_TYPES = ['user', 'agent', 'org', 'entity', 'service'] as const;
export type DidType = (typeof DID_TYPES)[number];

export interface Did {
  readonly text: string;
  readonly method: 'a2p' | 'key' | 'web';
  /** Of `did:a2p` only. */
  readonly type: DidType | undefined;
  /** The profile that a sub-profile belongs to; otherwise the DID itself. */
  readonly base: string;
  /** `work` of `did:a2p:user:local:ana:work`. */
  readonly subProfile: string | undefined;
}

const PART = /^[a-zA-Z0-9._-]+$/;

export interface DidOptions {
  /** Accepts a2p DIDs without a namespace, as the third-party conformance tool sends them. */
  readonly lenient?: boolean;
}

export function parseDid(text: string, options: DidOptions = {}): Did | undefined {
  if (text.length > 300) return undefined;
  const parts = text.split(':');
  if (parts[0] !== 'did' || parts.length < 3 || !parts.slice(2).every((part) => PART.test(part))) {
    return undefined;
  }
  if (parts[1] === 'key') {
    const whole = parts.length === 3 && /^z[1-9A-HJ-NP-Za-km-z]+$/.test(parts[2] as string);
    return whole ? plain(text, 'key') : undefined;
  }
  if (parts[1] === 'web') return plain(text, 'web');
  if (parts[1] !== 'a2p') return undefined;
  const type = parts[2] as DidType;
  if (!DID_TYPES.includes(type)) return undefined;
  if (parts.length === 4 && options.lenient)
    return { text, method: 'a2p', type, base: text, subProfile: undefined };
  if (parts.length === 5) return { text, method: 'a2p', type, base: text, subProfile: undefined };
  if (type !== 'user' || parts.length < 6) return undefined;
  return {
    text,
    method: 'a2p',
    type,
    base: parts.slice(0, 5).join(':'),
    subProfile: parts.slice(5).join(':'),
  };
}

export function requireDid(text: string, pointer: string, options?: DidOptions): Did {
  const did = parseDid(text, options);
  if (!did) throw memoryErrors.A2P010({ pointer });
  return did;
}

const READABLE = 80;
/** How a name ends that a DID cannot carry as it is. */
const BY_DIGEST = /\.id-[0-9a-f]{32}$/;

/**
 * The DID of an actor that this server knows by name; no two names have the same one. A name that a DID cannot carry is
 * told apart by its digest, and so is one that looks as if it had been.
 */
export function localDid(type: DidType, name: string): string {
  if (parseDid(name)) return name;
  if (PART.test(name) && name.length <= 120 && !BY_DIGEST.test(name)) return `did:a2p:${type}:local:${name}`;
  const readable = name.replace(/[^a-zA-Z0-9._-]+/g, '-').replace(/^-+|-+$/g, '');
  const digest = portableHasher.hex(name).slice(0, 32);
  return `did:a2p:${type}:local:${readable.slice(0, READABLE)}.id-${digest}`;
}

function plain(text: string, method: 'key' | 'web'): Did {
  return { text, method, type: undefined, base: text, subProfile: undefined };
}
