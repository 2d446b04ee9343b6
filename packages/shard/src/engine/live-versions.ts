/** Where the newest operation of an id is. */
export interface VersionSlot {
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
  readonly firstDoc: number;
  readonly doc: number;
}

const FIELDS = 5;

/** Newest operation of each id that came into one buffer: columns instead of an object an id, to spare the collector. */
export class LiveVersions {
  readonly #slots = new Map<string, number>();
  #columns = new Float64Array(1024 * FIELDS);
  #count = 0;

  get size(): number {
    return this.#slots.size;
  }

  /** Rough cost in memory. */
  get memoryBytes(): number {
    return this.#columns.byteLength + this.#slots.size * 80;
  }

  put(id: string, seqNo: number, primaryTerm: number, version: number, firstDoc: number, doc: number): void {
    let slot = this.#slots.get(id);
    if (slot === undefined) {
      slot = this.#count++;
      this.#slots.set(id, slot);
      if (this.#count * FIELDS > this.#columns.length) this.#grow();
    }
    const at = slot * FIELDS;
    this.#columns[at] = seqNo;
    this.#columns[at + 1] = primaryTerm;
    this.#columns[at + 2] = version;
    this.#columns[at + 3] = firstDoc;
    this.#columns[at + 4] = doc;
  }

  get(id: string): VersionSlot | undefined {
    const slot = this.#slots.get(id);
    if (slot === undefined) return undefined;
    const columns = this.#columns;
    const at = slot * FIELDS;
    return { seqNo: columns[at]!, primaryTerm: columns[at + 1]!, version: columns[at + 2]!, firstDoc: columns[at + 3]!, doc: columns[at + 4]! };
  }

  delete(id: string): void {
    this.#slots.delete(id);
  }

  #grow(): void {
    const grown = new Float64Array(this.#columns.length * 2);
    grown.set(this.#columns);
    this.#columns = grown;
  }
}
