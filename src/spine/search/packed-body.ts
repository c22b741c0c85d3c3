import type { SearchHit } from './request.ts';
import type { Packed } from './rules/pack.ts';

export const packedBody = ({ text, used, repeats, leftOut }: Packed<unknown>) => ({
  text,
  passages: used.length,
  repeats,
  left_out: leftOut,
});

export const foundBy = ({ terms, related, date, neighbour }: SearchHit['reasons']) => ({
  terms: [...terms],
  related: [...related],
  date,
  neighbour,
});
