import { familyHue } from './event-words.ts';

/** Helps the eye to find events of a kind; the kind itself stands beside it in words. */
export function FamilyDot({ family }: { family: string }) {
  return (
    <span
      aria-hidden="true"
      className="size-2 shrink-0 rounded-[3px]"
      style={{ background: `oklch(0.66 0.13 ${familyHue(family)})` }}
    />
  );
}
