import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BatonError } from '../kernel/error.ts';
import { RELAY_VARIABLES } from '../slices/relay/variables.ts';
import { readSettings, unknownIn } from './settings.ts';
import { WRONG_ALONE, WRONG_TOGETHER } from './testing.ts';

function problemsOf(env: Record<string, string>): readonly { name: string; problem: string }[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== 'settings_invalid') throw error;
    return error.details?.settings as { name: string; problem: string }[];
  }
}

describe('a setting that cannot be meant', () => {
  it.each(WRONG_ALONE)('is refused by name, with what is allowed: %s=%s', (name, value, allowed) => {
    const found = problemsOf({ [name]: value }).find((problem) => problem.name === name);
    expect(found?.problem).toContain(allowed);
  });

  it.each(WRONG_TOGETHER)(
    'is refused where others it needs are missing, or contradict it: %j',
    (env, named) => {
      const [first] = problemsOf(env);
      expect(first?.problem).toContain(named);
    },
  );

  it('is told together with all others, and never shown where it may be a secret', () => {
    const found = problemsOf({
      BATON_PORT: 'x',
      BATON_LOG: 'y',
      BATON_DATABASE_URL: 'mysql://u:hunter2@h/n',
    });
    expect(found.map(({ name }) => name).sort()).toEqual(['BATON_DATABASE_URL', 'BATON_LOG', 'BATON_PORT']);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it('that is empty is not set', () => {
    expect(readSettings({ BATON_PORT: '', BATON_REDACT: ' ', BATON_TLS_CERT: '' })).toMatchObject({
      port: 7373,
      redact: { secrets: false },
      tls: undefined,
    });
  });
});

describe('a variable that is no setting', () => {
  it('is known, with the name that was meant', () => {
    expect(
      unknownIn({ BATON_PROT: '80', BATON_RELAY_TIMOUT_SECONDS: '1', BATON_PORT: '80', HOME: '/' }),
    ).toEqual([
      { name: 'BATON_PROT', problem: 'is no setting; did you mean BATON_PORT?' },
      {
        name: 'BATON_RELAY_TIMOUT_SECONDS',
        problem: 'is no setting; did you mean BATON_RELAY_TIMEOUT_SECONDS?',
      },
    ]);
  });

  it('is not one that the relay reads', () => {
    const source = readFileSync('src/slices/relay/settings.ts', 'utf8');
    const named = new Set([...source.matchAll(/BATON_RELAY_[A-Z_]+/g)].map(([name]) => name));
    expect([...named].sort()).toEqual([...RELAY_VARIABLES].sort());
  });
});
