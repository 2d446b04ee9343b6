/** How many parts and commits need each segment of the store: the last one to let go has it removed. */
export class SegmentHolders {
  readonly #counts = new Map<number, number>();

  hold(segment: number): void {
    this.#counts.set(segment, (this.#counts.get(segment) ?? 0) + 1);
  }

  /** True when nobody needs the segment any more. */
  release(segment: number): boolean {
    const left = (this.#counts.get(segment) ?? 1) - 1;
    if (left > 0) this.#counts.set(segment, left);
    else this.#counts.delete(segment);
    return left <= 0;
  }
}
