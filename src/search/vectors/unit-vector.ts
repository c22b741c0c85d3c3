/** Scaled to length 1; a zero vector stays as it is. */
export function toUnitVector(values: ArrayLike<number>): Float32Array {
  let square = 0;
  for (let at = 0; at < values.length; at += 1) square += (values[at] as number) ** 2;
  const length = Math.sqrt(square);
  return Float32Array.from(values, (value) => (length > 0 ? value / length : 0));
}
