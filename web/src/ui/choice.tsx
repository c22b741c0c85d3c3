interface ChoiceProps<Value extends string> {
  /** What is chosen between, for those who do not see it. */
  readonly label: string;
  readonly options: readonly (readonly [value: Value, label: string])[];
  readonly chosen: Value;
  readonly onChange: (value: Value) => void;
  /** For a setting beside what it changes; without it, for the views of a page. */
  readonly small?: boolean;
}

const VIEWS = {
  group: 'flex flex-wrap gap-1',
  button: 'h-9 rounded-control px-3 hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:text-accent',
};
const SETTING = {
  group: 'inline-flex w-fit rounded-control bg-sunken p-0.5',
  button:
    'h-7 rounded-md px-2.5 text-small hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card',
};

/** One of a few, of which one always holds: buttons that say which one is pressed. */
export function Choice<Value extends string>({
  label,
  options,
  chosen,
  onChange,
  small = false,
}: ChoiceProps<Value>) {
  const look = small ? SETTING : VIEWS;
  return (
    <fieldset className={look.group}>
      <legend className="sr-only">{label}</legend>
      {options.map(([value, words]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => onChange(value)}
          className={`font-medium text-soft transition-colors ${look.button}`}
        >
          {words}
        </button>
      ))}
    </fieldset>
  );
}
