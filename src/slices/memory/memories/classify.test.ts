import { describe, expect, it } from 'vitest';
import { classify } from './classify.ts';

describe('classification', () => {
  it.each([
    ['User asked about Python async on 2026-01-15', 'episodic', 'event-with-date'],
    ['User completed onboarding on 2026-01-10', 'episodic', 'event-with-date'],
    ['User mentioned interest in Rust during conversation', 'episodic', 'event-that-happened'],
    ['User is a Python expert', 'semantic', 'fact-about-the-person'],
    ['User prefers technical explanations', 'semantic', 'general-preference'],
    ['User works in distributed systems', 'semantic', 'fact-about-the-person'],
    ['User prefers dark mode for coding', 'semantic', 'general-preference'],
    ['User prefers code examples with type hints', 'procedural', 'preference-for-a-manner'],
    ['User always asks for pros/cons before decisions', 'procedural', 'repeated-behaviour'],
    ['User follows morning routine: coffee, emails, coding', 'procedural', 'routine-or-how-to'],
    ['User follows a morning routine: coffee, emails, coding', 'procedural', 'routine-or-how-to'],
  ])('takes "%s" for %s, by the rule %s', (content, type, rule) => {
    expect(classify({ content })).toMatchObject({ type, rule });
  });

  it('hears from the context that a preference was observed as behaviour', () => {
    const content = 'User prefers detailed explanations';
    expect(classify({ content, context: 'Based on follow-up questions in conversation' }).type).toBe(
      'procedural',
    );
    expect(classify({ content }).type).toBe('semantic');
  });

  it('takes two episodes, not wording, as proof that something was generalised', () => {
    const content = 'User prefers code examples with type hints';
    expect(classify({ content, episodes: 2 })).toMatchObject({
      type: 'semantic',
      rule: 'several-episodes',
      question: 2,
    });
    expect(classify({ content, episodes: 1 }).type).toBe('procedural');
  });

  it('asks about an event first, however many episodes there are', () => {
    expect(classify({ content: 'User asked about Go yesterday', episodes: 5 }).question).toBe(1);
  });

  it('falls back to episodic, and ranks the types that some rule speaks for first', () => {
    expect(classify({ content: 'Blue' })).toEqual({
      type: 'episodic',
      rule: 'default',
      question: 0,
      alternatives: [
        { type: 'semantic', rule: undefined },
        { type: 'procedural', rule: undefined },
      ],
    });
    expect(classify({ content: 'User prefers short answers' }).alternatives[0]).toEqual({
      type: 'procedural',
      rule: 'preference-for-a-manner',
    });
  });

  it.each([
    'Runs the tests before every commit',
    'User names branches after tickets',
    'The user squashes commits before merging',
    'Writes commit messages in the imperative',
    'She reviews diffs on paper',
    'Keeps functions below thirty lines',
    'I run the linter before I push',
    'We deploy on Tuesdays after stand-up',
    'Drinks coffee black',
    'Puts type hints on public functions',
  ])('takes what somebody does in the present tense as a habit: %s', (content) => {
    expect(classify({ content }).type).toBe('procedural');
  });

  it.each([
    ['Ran the tests before the release on 2024-05-01', 'episodic'],
    ['Asked about indexes in PostgreSQL', 'episodic'],
    ['I fixed the build before lunch', 'episodic'],
    ['User is a Python expert', 'semantic'],
    ['Works in distributed systems', 'semantic'],
    ['Speaks Portuguese at home', 'semantic'],
  ])('but not what happened, nor what is so: %s', (content, type) => {
    expect(classify({ content }).type).toBe(type);
  });
});
