interface ChoiceTabsProps<Value extends string> {
  /** What is chosen between, for those who do not see it. */
  readonly label: string;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly chosen: Value;
  readonly onChange: (value: Value) => void;
}

/** Views of one page; buttons that say which one is pressed. */
export function ChoiceTabs<Value extends string>({
  label,
  options,
  chosen,
  onChange,
}: ChoiceTabsProps<Value>) {
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{label}</legend>
      {options.map(([value, words]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChange(value)}
          className="h-9 rounded-control px-3 font-medium text-soft transition-colors hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent"
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}
