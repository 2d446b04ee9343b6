/** What searches read of a field, by the names of `GET _field_usage_stats`. */
export const FIELD_USES = [
  'terms',
  'postings',
  'term_frequencies',
  'positions',
  'proximity',
  'stored_fields',
  'doc_values',
  'points',
  'norms',
  'knn_vectors',
] as const;

/** A use of a field. */
export type FieldUse = (typeof FIELD_USES)[number];

/** Number of phases of searches that read anything of a field, and those of each use. */
export type UseCounts = { any: number } & Record<FieldUse, number>;

/** Counts of a shard copy since it was opened. */
export interface FieldUsageStats {
  /** Differs whenever counting began anew. */
  readonly trackingId: string;
  readonly startedAtMs: number;
  readonly fields: Readonly<Record<string, UseCounts>>;
}

const BITS = Object.fromEntries(FIELD_USES.map((use, i) => [use, 1 << i])) as Readonly<Record<FieldUse, number>>;

const noUse = (): UseCounts =>
  ({ any: 0, ...Object.fromEntries(FIELD_USES.map((use) => [use, 0])) }) as unknown as UseCounts;

/** Uses of fields by one phase of a search; each counts once, however often the phase reads the field. */
export class FieldUses {
  readonly #bits = new Map<string, number>();
  readonly #showsSource: boolean;

  /** `showsSource`: whether documents are read for their source, and not for their ids alone. */
  constructor(showsSource: boolean) {
    this.#showsSource = showsSource;
  }

  /** Notes that a document was read. */
  addStored(): void {
    this.add('_id', 'stored_fields');
    if (this.#showsSource) this.add('_source', 'stored_fields');
  }

  add(field: string, use: FieldUse): void {
    this.#bits.set(field, (this.#bits.get(field) ?? 0) | BITS[use]);
  }

  entries(): Iterable<readonly [field: string, bits: number]> {
    return this.#bits;
  }
}

/** Counts how searches of a shard copy use its fields. */
export class FieldUsage {
  readonly #trackingId: string;
  readonly #startedAtMs: number;
  readonly #fields = new Map<string, UseCounts>();

  constructor(trackingId: string, startedAtMs: number) {
    this.#trackingId = trackingId;
    this.#startedAtMs = startedAtMs;
  }

  /** Counts the uses of a phase that has ended. */
  count(uses: Pick<FieldUses, 'entries'>): void {
    for (const [field, bits] of uses.entries()) {
      let counts = this.#fields.get(field);
      if (counts === undefined) this.#fields.set(field, (counts = noUse()));
      counts.any++;
      for (const use of FIELD_USES) if ((bits & BITS[use]) !== 0) counts[use]++;
    }
  }

  stats(): FieldUsageStats {
    const fields = Object.fromEntries([...this.#fields].map(([field, counts]) => [field, { ...counts }]));
    return { trackingId: this.#trackingId, startedAtMs: this.#startedAtMs, fields };
  }
}
