import { isDoc, isText } from '../document.ts';
import { HOOK_NAME } from '../ids.ts';

export interface HookVerdict {
  readonly verdict: 'allow' | 'warn' | 'block';
  readonly message: string | null;
  readonly annotations: readonly { readonly key: string; readonly value: string }[];
}

const MAX_ANNOTATIONS = 16;
const MAX_ANNOTATION_LENGTH = 1000;

/** A hook's answer, or undefined when it is none: `value` is its output as parsed, undefined if it was no JSON. */
export function readVerdict(value: unknown): HookVerdict | undefined {
  if (!isDoc(value)) return undefined;
  const { verdict, message, annotations } = value;
  if (verdict !== 'allow' && verdict !== 'warn' && verdict !== 'block') return undefined;
  if (message !== undefined && message !== null && !isText(message)) return undefined;
  if (annotations === undefined || annotations === null)
    return { verdict, message: message ?? null, annotations: [] };
  if (!Array.isArray(annotations) || annotations.length > MAX_ANNOTATIONS) return undefined;
  const valid = annotations.every(
    (item) =>
      isDoc(item) &&
      isText(item.key) &&
      HOOK_NAME.test(item.key) &&
      isText(item.value) &&
      item.value.length <= MAX_ANNOTATION_LENGTH,
  );
  return valid ? { verdict, message: message ?? null, annotations } : undefined;
}
