/**
 * Deletes of a part that no commit covers yet, with the operations they come from. A commit or a merge of an earlier
 * moment leaves them out, so that a rollback of those operations finds their documents.
 */
export class LateDeletes {
  #by = new Map<number, number>();

  add(root: number, by: number): void {
    this.#by.set(root, by);
  }

  /** The operation that deleted a root, -1 when a commit covers it. */
  by(root: number): number {
    return this.#by.get(root) ?? -1;
  }

  /** The operations up to a number are covered. */
  forget(maxSeqNo: number): void {
    for (const [root, by] of this.#by) if (by <= maxSeqNo) this.#by.delete(root);
  }

  /** Roots that operations above a number deleted. */
  above(maxSeqNo: number): readonly number[] {
    const roots: number[] = [];
    for (const [root, by] of this.#by) if (by > maxSeqNo) roots.push(root);
    return roots;
  }
}
