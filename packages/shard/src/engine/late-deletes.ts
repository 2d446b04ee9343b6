/**
 * Deletes in a part that no commit covers yet, with the operations that made them. A commit or merge as of an earlier
 * operation treats these documents as live. So a rollback of the operations finds the documents again.
 */
export class LateDeletes {
  #by = new Map<number, number>();

  add(root: number, by: number): void {
    this.#by.set(root, by);
  }

  /** Returns the operation that deleted a root, -1 if a commit covers the delete. */
  by(root: number): number {
    return this.#by.get(root) ?? -1;
  }

  /** Called when a commit covers the operations up to `maxSeqNo`. */
  forget(maxSeqNo: number): void {
    for (const [root, by] of this.#by) if (by <= maxSeqNo) this.#by.delete(root);
  }

  /** Returns the roots that operations above `maxSeqNo` deleted. */
  above(maxSeqNo: number): readonly number[] {
    const roots: number[] = [];
    for (const [root, by] of this.#by) if (by > maxSeqNo) roots.push(root);
    return roots;
  }
}
