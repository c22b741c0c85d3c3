interface SegmentedProps<Value extends string> {
  readonly label: string;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly chosen: Value;
  readonly onChange: (value: Value) => void;
}

/** A small choice of which one always holds; `ChoiceTabs` are for views of a page. */
export function Segmented<Value extends string>({ label, options, chosen, onChange }: SegmentedProps<Value>) {
  return (
    <fieldset className="inline-flex rounded-control bg-sunken p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(([value, words]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChange(value)}
          className="h-7 rounded-md px-2.5 font-medium text-small text-soft transition-colors hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card"
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}
