import { describe, expect, it } from 'vitest';
import { slackMessage } from '../send/web-messages.ts';
import { type Told, wordsFor } from './words.ts';

const ORIGIN = 'https://baton.example.com';
const SECRET = 'Refund 480 EUR to jane.doe@example.com';

const told = (more: Partial<Told> = {}, title: string | null = SECRET): Told => ({
  kind: 'inbox',
  projectId: 'shop',
  risk: 'high',
  item: { itemId: 'itm_1', kind: 'carp_approval', title, expires: Date.parse('2026-05-01T12:05:00Z') * 1000 },
  ...more,
});
const words = (things: readonly Told[], content: 'nothing' | 'kind' | 'title') =>
  wordsFor(things, { content, origin: ORIGIN, zone: 'Europe/Berlin' });

describe('what a message says', () => {
  it('is no more than its reader has set', () => {
    expect(words([told()], 'nothing')).toEqual({
      subject: 'Something waits for you in Baton',
      lines: [],
      link: `${ORIGIN}/inbox?item=itm_1`,
    });
    expect(words([told()], 'kind')).toMatchObject({
      subject: 'An approval of high risk waits in shop',
      lines: [],
    });
    expect(words([told()], 'title').lines).toEqual([SECRET]);
    for (const content of ['nothing', 'kind'] as const) {
      expect(JSON.stringify(words([told(), told()], content))).not.toContain('jane.doe');
    }
    expect(JSON.stringify(words([told(), told()], 'nothing'))).not.toContain('shop');
  });

  it('never has the title of what tells of a person', () => {
    expect(words([told({}, null)], 'title')).toMatchObject({ lines: [] });
  });

  it('says when something expires, in the reader’s time', () => {
    expect(words([told({ kind: 'expiring' })], 'kind').subject).toBe(
      'An approval of high risk in shop expires at 14:05 (Europe/Berlin)',
    );
  });

  it('counts what is alike, and leads to the list', () => {
    const many = [
      ...Array.from({ length: 480 }, () => told()),
      ...Array.from({ length: 19 }, () => told({ risk: 'low', projectId: 'docs' })),
      told({ kind: 'denied', item: null, risk: null }),
    ];
    expect(words(many, 'kind')).toEqual({
      subject: '500 things to look at in 2 projects',
      lines: [
        '480 approvals of high risk wait in shop',
        '19 approvals of low risk wait in docs',
        'An action was denied in shop',
      ],
      link: `${ORIGIN}/inbox`,
    });
    expect(words(many, 'title').lines).toHaveLength(21);
  });

  it('is one line each, whatever others have called their projects and items', () => {
    const hostile = told({ projectId: 'x\r\nBcc: all@example.com' }, 'a\n\u202eb\u0000c');
    const { subject, lines } = words([hostile], 'title');
    for (const line of [subject, ...lines]) expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    const slack = slackMessage(words([told({}, '<!channel> & <https://evil.example|click>')], 'title'));
    expect(slack.body).not.toMatch(/<!channel>|<https:\/\/evil/);
  });
});
