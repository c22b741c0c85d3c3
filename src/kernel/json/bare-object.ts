import type { Json } from './value.ts';

/**
 * An object that inherits nothing, so that `__proto__`, `constructor` and `toString` are ordinary members. It is made by
 * a constructor with an empty prototype because V8 keeps those in its fast shape, unlike `Object.create(null)`.
 */
export type BareObject = Record<string, Json>;

function Bare(): void {}
Bare.prototype = Object.freeze(Object.create(null));

export const newBareObject = Bare as unknown as new () => BareObject;
