/** How often classes were taken for which. */
export class Confusion {
  /** Counts by actual, then predicted class. */
  readonly counts = new Map<string, Map<string, number>>();
  total = 0;

  add(actual: string, predicted: string): void {
    const row = this.counts.get(actual) ?? new Map<string, number>();
    row.set(predicted, (row.get(predicted) ?? 0) + 1);
    this.counts.set(actual, row);
    this.total++;
  }

  /** Actual classes, the most frequent first. */
  get classes(): readonly string[] {
    return [...this.counts.keys()].sort((a, b) => this.actual(b) - this.actual(a) || (a < b ? -1 : 1));
  }

  actual(name: string): number {
    return [...(this.counts.get(name)?.values() ?? [])].reduce((sum, count) => sum + count, 0);
  }

  predicted(name: string): number {
    return [...this.counts.values()].reduce((sum, row) => sum + (row.get(name) ?? 0), 0);
  }

  hits(name: string): number {
    return this.counts.get(name)?.get(name) ?? 0;
  }

  /** Share of rows for which it is right whether they are of a class. */
  accuracy(name: string): number {
    return (this.total - this.actual(name) - this.predicted(name) + 2 * this.hits(name)) / this.total;
  }

  /** Share of the rows taken for a class that are of it; 0 if there are none. */
  precision(name: string): number {
    const predicted = this.predicted(name);
    return predicted === 0 ? 0 : this.hits(name) / predicted;
  }

  recall(name: string): number {
    return this.hits(name) / this.actual(name);
  }

  get overallAccuracy(): number {
    return this.classes.reduce((sum, name) => sum + this.hits(name), 0) / this.total;
  }
}
