import { type ComponentProps, useId } from 'react';

const box =
  'h-9 w-full min-w-0 rounded-control border border-line-strong bg-surface px-3 text-body text-ink placeholder:text-faint';

interface Named {
  readonly label: string;
  readonly hint?: string;
  /** For places where the label is said by what stands around it. */
  readonly hideLabel?: boolean;
}

export function TextField({ label, hint, hideLabel, className, ...rest }: Named & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1 block font-medium text-small'}>
        {label}
      </label>
      <input id={id} aria-describedby={hint && `${id}-hint`} className={box} {...rest} />
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-faint text-small">
          {hint}
        </p>
      )}
    </div>
  );
}

export function SelectField({
  label,
  hint,
  hideLabel,
  className,
  options,
  ...rest
}: Named & ComponentProps<'select'> & { options: readonly (readonly [value: string, label: string])[] }) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1 block font-medium text-small'}>
        {label}
      </label>
      <select id={id} aria-describedby={hint && `${id}-hint`} className={box} {...rest}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-faint text-small">
          {hint}
        </p>
      )}
    </div>
  );
}

export function TextArea({ label, hint, hideLabel, className, ...rest }: Named & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1 block font-medium text-small'}>
        {label}
      </label>
      <textarea
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className={`${box} h-auto min-h-20 resize-y py-2`}
        {...rest}
      />
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-faint text-small">
          {hint}
        </p>
      )}
    </div>
  );
}
