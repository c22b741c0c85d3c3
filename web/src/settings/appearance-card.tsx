import { setTheme, type Theme, useTheme } from '../shell/theme.ts';
import { Card } from '../ui/card.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

const choices: readonly (readonly [theme: Theme, label: string, icon: IconName])[] = [
  ['system', 'System', 'system'],
  ['light', 'Light', 'sun'],
  ['dark', 'Dark', 'moon'],
];

export function AppearanceCard() {
  const theme = useTheme();
  return (
    <Card title="Appearance">
      <fieldset className="grid grid-cols-3 gap-2">
        <legend className="sr-only">Theme</legend>
        {choices.map(([value, label, icon]) => (
          <label
            key={value}
            className="flex cursor-pointer flex-col items-center gap-1.5 rounded-control border border-line py-3 text-small text-soft transition-colors focus-within:outline-2 focus-within:outline-accent focus-within:outline-offset-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent"
          >
            <input
              type="radio"
              name="theme"
              className="sr-only"
              checked={theme === value}
              onChange={() => setTheme(value)}
            />
            <Icon name={icon} />
            {label}
          </label>
        ))}
      </fieldset>
    </Card>
  );
}
