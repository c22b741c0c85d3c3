import { IconButton } from '../ui/button.tsx';
import { setTheme, shownTheme, useTheme } from './theme.ts';

export function ThemeToggle() {
  const shown = shownTheme(useTheme());
  const other = shown === 'dark' ? 'light' : 'dark';
  return (
    <IconButton
      icon={shown === 'dark' ? 'sun' : 'moon'}
      label={`Switch to the ${other} theme`}
      onClick={() => setTheme(other)}
    />
  );
}
