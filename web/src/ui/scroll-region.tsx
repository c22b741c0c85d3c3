import type { ReactNode, Ref } from 'react';

interface ScrollRegionProps {
  readonly label: string;
  readonly className: string;
  readonly ref?: Ref<HTMLElement>;
  readonly children: ReactNode;
}

/** What scrolls by itself must be reachable by keyboard. */
export function ScrollRegion({ label, className, ref, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section ref={ref} tabIndex={0} aria-label={label} className={`overflow-y-auto ${className}`}>
      {children}
    </section>
  );
}
