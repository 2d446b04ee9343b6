/** What a job has seen of a field that it reads. */
export interface FieldSeen {
  present: number;
  missing: number;
  /** Its first value, shortened; and whether all others were the same. */
  first: string | null;
  isConstant: boolean;
}

/** What a job has seen of a field, as answers show it. */
export interface ShownField {
  readonly field: string;
  readonly present: number;
  readonly missing: number;
  readonly first_value: string | null;
  readonly is_constant: boolean;
}

const TEXT_MAX = 100;

/** Counts, for each field that a job reads, how often it was there, and whether it ever changed. */
export class FieldStats {
  readonly #seen = new Map<string, FieldSeen>();

  note(field: string, value: unknown): void {
    const isMissing = value === undefined || value === null;
    this.noteMany(field, isMissing ? [] : [value], isMissing ? 0 : 1, isMissing ? 1 : 0);
  }

  /** Counts documents at once. `values`: those that they have, or enough of them to tell whether all are the same. */
  noteMany(field: string, values: readonly unknown[], present: number, missing: number): void {
    let seen = this.#seen.get(field);
    if (seen === undefined) this.#seen.set(field, (seen = { present: 0, missing: 0, first: null, isConstant: true }));
    seen.present += present;
    seen.missing += missing;
    for (const value of values) {
      if (!seen.isConstant) return;
      const text = shortened(value);
      if (seen.first === null) seen.first = text;
      else if (seen.first !== text) seen.isConstant = false;
    }
  }

  toJson(): [string, FieldSeen][] {
    return [...this.#seen].map(([field, seen]) => [field, { ...seen }]);
  }

  /** As answers show it. */
  shown(): ShownField[] {
    return [...this.#seen].map(([field, { present, missing, first, isConstant }]) => ({
      ...{ field, present, missing, first_value: first, is_constant: isConstant && present > 0 },
    }));
  }

  restore(kept: readonly (readonly [string, FieldSeen])[]): void {
    for (const [field, seen] of kept) this.#seen.set(field, { ...seen });
  }
}

/** Lists and objects, which may be of any depth, are told apart by their kind alone. */
const shortened = (value: unknown): string =>
  typeof value === 'object'
    ? Array.isArray(value)
      ? `a list of ${value.length}`
      : 'an object'
    : String(value).slice(0, TEXT_MAX);
