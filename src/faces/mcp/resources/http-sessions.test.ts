import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { McpDeps } from '../call.ts';
import type { Caller } from '../caller.ts';
import { createHttpSessions } from './http-sessions.ts';

function callerOf(id: string): Caller {
  const principal = { actor: { id, type: 'agent' } } as Caller['principal'];
  return { principal, now: async () => principal };
}

describe('a session over HTTP', () => {
  const ada = callerOf('ada');
  const { signal } = new AbortController();
  let ids = 0;
  const services = { newRequestId: () => `id-${ids++}` } as McpDeps;

  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('waits a minute for somebody to listen again, and says afterwards that it is over', async () => {
    const sessions = createHttpSessions(services);
    const id = sessions.newId(ada);
    for (const pause of [1_000, 59_000]) {
      const stream = sessions.stream(id, ada, signal);
      await vi.advanceTimersByTimeAsync(600_000);
      await stream.body?.cancel();
      await vi.advanceTimersByTimeAsync(pause);
    }
    sessions.stream(id, ada, signal);
    const again = sessions.stream(id, ada, signal);
    await again.body?.cancel();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(() => sessions.stream(id, ada, signal)).toThrow(/has ended/);
    expect(() => sessions.subscriptions(id, ada)).toThrow(/has ended/);
  });

  it('belongs to whom it was given, before its first use too', () => {
    const sessions = createHttpSessions(services);
    const id = sessions.newId(ada);
    expect(() => sessions.stream(id, callerOf('eve'), signal)).toThrow(/has ended/);
    expect(sessions.stream(id, ada, signal).status).toBe(200);
    expect(() => sessions.subscriptions(id, callerOf('eve'))).toThrow(/has ended/);
  });

  it('is forgotten where it is one of very many that nobody uses', () => {
    const sessions = createHttpSessions(services);
    const first = sessions.newId(ada);
    const rest = Array.from({ length: 1_000 }, () => sessions.newId(ada));
    expect(() => sessions.stream(first, ada, signal)).toThrow(/has ended/);
    expect(sessions.stream(rest[0]!, ada, signal).status).toBe(200);
  });

  it('is neither pushed out nor kept out by what another caller begins', () => {
    const sessions = createHttpSessions(services);
    const id = sessions.newId(ada);
    const eve = callerOf('eve');
    for (let at = 0; at < 10_000; at += 1) sessions.newId(eve);
    const open = () => sessions.stream(sessions.newId(eve), eve, signal);
    for (let at = 0; at < 100; at += 1) open();
    expect(open).toThrow(/more subscriptions/);
    expect(sessions.stream(id, ada, signal).status).toBe(200);
    vi.advanceTimersByTime(600_000);
  });

  it('has its place back once it has ended', async () => {
    const sessions = createHttpSessions(services);
    for (let at = 0; at < 300; at += 1) {
      const id = sessions.newId(ada);
      sessions.stream(id, ada, signal);
      sessions.end(id, ada);
    }
  });
});
