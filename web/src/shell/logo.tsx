/** A baton in two hands' colours, at the moment it is passed on. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent-solid" />
      <g transform="rotate(-45 16 16)" fill="#fff">
        <rect x="4.5" y="12.75" width="13" height="6.5" rx="3.25" />
        <rect x="19.5" y="12.75" width="8" height="6.5" rx="3.25" fillOpacity="0.62" />
      </g>
    </svg>
  );
}
