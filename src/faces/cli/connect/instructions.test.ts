import { describe, expect, it } from 'vitest';
import { lineDiff } from './file-edits.ts';
import { withInstructions, withoutInstructions } from './instructions.ts';

describe('the instructions for an agent', () => {
  it.each(['', '# Ours\n\nBe kind.\n', '# Ours'])('are written once and taken away again: %j', (text) => {
    const written = withInstructions(text);
    expect(written.startsWith(text)).toBe(true);
    expect(written).toContain('call the tool `orient`');
    expect(withInstructions(written)).toBe(written);
    expect(withoutInstructions(written).trimEnd()).toBe(text.trimEnd());
  });

  it('are renewed in their place', () => {
    const old = '# Ours\n\n<!-- baton:begin -->\nold words\n<!-- baton:end -->\n\n## After\n';
    const renewed = withInstructions(old);
    expect(renewed).not.toContain('old words');
    expect(renewed.startsWith('# Ours\n\n<!-- baton:begin -->')).toBe(true);
    expect(renewed.endsWith('<!-- baton:end -->\n\n## After\n')).toBe(true);
  });
});

describe('a diff of lines', () => {
  it('shows the stretch that differs, with what is around it', () => {
    expect(lineDiff('a\nb\nc\nd\ne\n', 'a\nb\nX\nd\ne\n')).toBe('  a\n  b\n- c\n+ X\n  d\n  e');
    expect(lineDiff('', 'a\n')).toBe('+ a');
    expect(lineDiff('a\n', 'a\n')).toBe('');
  });
});
