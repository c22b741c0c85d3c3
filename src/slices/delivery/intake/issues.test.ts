import { describe, expect, it } from 'vitest';
import { readIssues } from './issues.ts';

describe('issue files', () => {
  it('are lists as gh writes them, without the closed ones', () => {
    const text = JSON.stringify([
      { number: 1, title: 'A', body: 'b', state: 'OPEN', url: 'https://example.org/1' },
      { number: 2, title: 'C', state: 'CLOSED' },
      { number: 3, title: '' },
      'no issue',
    ]);
    expect(readIssues('issues.json', text)).toEqual([
      { title: 'A', body: 'b', source: { kind: 'issue', ref: 'https://example.org/1' } },
    ]);
    expect(readIssues('issues.json', 'no JSON')).toEqual([]);
  });

  it('are Markdown with a title in front or on top', () => {
    expect(readIssues('1.md', '---\ntitle: "Fix: it"\nstate: open\n---\nIt is broken.\n')).toEqual([
      { title: 'Fix: it', body: 'It is broken.', source: { kind: 'issue', ref: '1.md' } },
    ]);
    expect(readIssues('2.md', '# Title\n\nMore\n')).toMatchObject([{ title: 'Title', body: 'More' }]);
    expect(readIssues('3.md', '---\ntitle: A\nstate: Closed\n---\n')).toEqual([]);
    expect(readIssues('4.md', 'no title')).toEqual([]);
  });
});
