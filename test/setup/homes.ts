import { join } from 'node:path';

/** Every variable that leads a program to a home, so that none falls back to that of whoever runs the tests. */
export const homesIn = (home: string) => ({
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: join(home, '.config'),
  XDG_DATA_HOME: join(home, '.local', 'share'),
  XDG_STATE_HOME: join(home, '.local', 'state'),
  XDG_CACHE_HOME: join(home, '.cache'),
  CODEX_HOME: join(home, '.codex'),
  CLAUDE_CONFIG_DIR: join(home, '.claude'),
  BATON_DATA: join(home, '.baton'),
});
