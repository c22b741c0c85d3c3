/** An answer whose first piece comes at once, and the others when the test says so: no clock has a part in it. */
export function holdPieces(): { beforePiece(piece: number): Promise<void>; release(): void; hold(): void } {
  let release = () => {};
  let released: Promise<void>;
  const hold = () => {
    released = new Promise((resolve) => {
      release = resolve;
    });
  };
  hold();
  return {
    hold,
    release: () => release(),
    async beforePiece(piece) {
      if (piece > 0) await released;
    },
  };
}
