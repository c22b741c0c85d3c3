/** Which keys work here, for those who have a keyboard. */
export function KeysHint({ keys }: { keys: readonly (readonly [key: string, does: string])[] }) {
  return (
    <p className="hidden flex-wrap gap-x-4 gap-y-1 text-faint text-small lg:flex">
      {keys.map(([key, does]) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <kbd className="rounded border border-line bg-surface px-1.5 font-mono text-[0.6875rem] leading-4">
            {key}
          </kbd>
          {does}
        </span>
      ))}
    </p>
  );
}
