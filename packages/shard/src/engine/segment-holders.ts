/** Reference counts of the store's segments: parts and commits hold them. */
export class SegmentHolders {
  readonly #counts = new Map<number, number>();

  hold(segment: number): void {
    this.#counts.set(segment, (this.#counts.get(segment) ?? 0) + 1);
  }

  /** Releases a segment; returns true if nothing holds it any more. */
  release(segment: number): boolean {
    const left = (this.#counts.get(segment) ?? 1) - 1;
    if (left > 0) this.#counts.set(segment, left);
    else this.#counts.delete(segment);
    return left <= 0;
  }
}
