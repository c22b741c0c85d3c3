import { describe, expect, test } from 'vitest';
import { queryTerms } from './query.ts';

describe('the terms of a query', () => {
  test('leave out how the question is put', () => {
    expect(queryTerms('What did we decide about the database migration?')).toEqual([
      'decid',
      'databas',
      'migrat',
    ]);
  });

  test('are the stop words themselves when there is nothing else', () => {
    expect(queryTerms('The Who')).toEqual(['the', 'who']);
  });

  test('stand there once each', () => {
    expect(queryTerms('run running runs')).toEqual(['run']);
  });

  test('are bounded for a pasted page', () => {
    const page = Array.from({ length: 500 }, (_, at) => `word${at}`).join(' ');
    expect(queryTerms(page)).toHaveLength(64);
  });

  test('are none for a query of signs', () => {
    expect(queryTerms(' ?! … ')).toEqual([]);
  });
});
