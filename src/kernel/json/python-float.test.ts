import { expect, it } from 'vitest';
import { pythonRepr } from './python-float.ts';

it.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [-123.25, '-123.25'],
  [0.1, '0.1'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.5e-7, '1.5e-07'],
  [1e15, '1000000000000000.0'],
  [9999999999999998, '9999999999999998.0'],
  [1e16, '1e+16'],
  [1.2345678901234568e17, '1.2345678901234568e+17'],
  [1e22, '1e+22'],
  [1e100, '1e+100'],
  [5e-324, '5e-324'],
  [1.7976931348623157e308, '1.7976931348623157e+308'],
  [Number.POSITIVE_INFINITY, 'inf'],
  [Number.NEGATIVE_INFINITY, '-inf'],
  [Number.NaN, 'nan'],
])('prints %d as Python does', (value, text) => {
  expect(pythonRepr(value)).toBe(text);
});
