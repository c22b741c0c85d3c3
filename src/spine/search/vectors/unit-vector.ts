/** Scaled to length 1; a zero vector stays as it is. Plain loops: it runs for every passage that is written. */
export function toUnitVector(values: ArrayLike<number>): Float32Array {
  const unit = new Float32Array(values.length);
  let square = 0;
  for (let at = 0; at < values.length; at += 1) square += (values[at] as number) * (values[at] as number);
  if (square === 0) return unit;
  const length = Math.sqrt(square);
  for (let at = 0; at < values.length; at += 1) unit[at] = (values[at] as number) / length;
  return unit;
}
