import { Categoriser, type Category } from './categoriser.js';

/** Categories of a job, of all partitions together. */
const CATEGORIES_MAX = 10_000;
/** Lines before which nothing is said about how well lines fall into categories. */
const LINES_LEAST = 100;
/** Lines of a partition between two looks at its status, as a factor. */
const LOOK_GROWTH = 1.1;
/** Matches from which a category counts as frequent, as a share of all lines. */
const FREQUENT_SHARE = 0.01;

/** How lines are put into categories. */
export interface CategorizationSpec {
  readonly field: string;
  /** Examples of a category that are kept. */
  readonly examplesMax: number;
  /** Splits a line into its fixed tokens; absent: words without digits. */
  readonly tokensOf?: (line: string) => readonly string[];
  /** Field whose values have categories of their own; null: all lines together. */
  readonly partition?: string | null;
  /** Whether a partition whose lines do not fall into categories is given up. */
  readonly stopsOnWarn?: boolean;
}

/** `warn`: there are too many categories for the lines, or only one. */
export type CategorizationStatus = 'ok' | 'warn';

/** How the lines of a partition fall into categories. */
export interface CategorySizes {
  readonly lines: number;
  readonly categories: number;
  /** Categories with more than one in a hundred lines, and with one line. */
  readonly frequent: number;
  readonly rare: number;
  readonly failed: number;
  readonly status: CategorizationStatus;
}

/** A category of a partition; null without partitions. */
export interface PartitionCategory {
  readonly partition: string | null;
  readonly category: Category;
}

/** Sizes of a partition, and whether its status is another one than when they were taken last. */
export interface PartitionSizes {
  readonly partition: string | null;
  readonly sizes: CategorySizes;
  readonly hasTurned: boolean;
}

interface Partition {
  readonly categoriser: Categoriser;
  lines: number;
  /** Lines from which its status is looked at again. */
  lookAt: number;
  status: CategorizationStatus;
  /** Whether its sizes, and its status, have changed since they were taken. */
  isChanged: boolean;
  hasTurned: boolean;
}

/**
 * Sorts lines into categories, of all partitions together or of each one apart. Ids of categories are those of the
 * whole job.
 */
export class LineCategories {
  readonly #spec: CategorizationSpec;
  readonly #partitions = new Map<string, Partition>();
  #made = 0;
  /** Lines of partitions that there was no more room for. */
  #refused = 0;
  #grows = true;

  constructor(spec: CategorizationSpec) {
    this.#spec = spec;
  }

  get bytes(): number {
    let bytes = 0;
    for (const { categoriser } of this.#partitions.values()) bytes += 200 + categoriser.bytes;
    return bytes;
  }

  /**
   * Returns the category of a line; null if its partition was given up, or if there is no room for another category:
   * there are too many, or `mayGrow` is false.
   */
  of(line: string, partition: string, mayGrow: boolean): Category | null {
    this.#grows = mayGrow;
    const own = this.#partitions.get(partition) ?? this.#create(partition);
    if (own === null) {
      this.#refused++;
      return null;
    }
    if (this.hasStopped(partition)) return null;
    const category = own.categoriser.of(line);
    own.isChanged = true;
    own.lines++;
    if (own.lines >= own.lookAt) this.#look(own);
    return this.hasStopped(partition) ? null : category;
  }

  /** Whether lines of a partition have no categories any more. */
  hasStopped(partition: string): boolean {
    return this.#spec.stopsOnWarn === true && this.#partitions.get(partition)?.status === 'warn';
  }

  #create(partition: string): Partition | null {
    if (!this.#hasRoom() || this.#partitions.size >= CATEGORIES_MAX) return null;
    const made: Partition = {
      categoriser: this.#categoriser(null),
      ...{ lines: 0, lookAt: LINES_LEAST, status: 'ok', isChanged: true, hasTurned: false },
    };
    this.#partitions.set(partition, made);
    return made;
  }

  #categoriser(json: unknown): Categoriser {
    const { examplesMax, tokensOf } = this.#spec;
    const options = { nextId: () => (this.#hasRoom() ? ++this.#made : null), ...(tokensOf && { tokensOf }) };
    return json === null ? new Categoriser(examplesMax, options) : Categoriser.fromJson(json, examplesMax, options);
  }

  #hasRoom(): boolean {
    return this.#grows && this.#made < CATEGORIES_MAX;
  }

  #look(own: Partition): void {
    own.lookAt = Math.ceil(own.lines * LOOK_GROWTH);
    const status = statusOf(sizesOf(own));
    if (status === own.status) return;
    own.status = status;
    own.hasTurned = !own.hasTurned;
  }

  /** Sizes of all partitions together; `warn` if one of them does. */
  get total(): CategorySizes {
    const total = { lines: 0, categories: 0, frequent: 0, rare: 0, failed: this.#refused };
    let status: CategorizationStatus = 'ok';
    for (const one of this.#partitions.values()) {
      const sizes = sizesOf(one);
      total.lines += sizes.lines;
      total.categories += sizes.categories;
      total.frequent += sizes.frequent;
      total.rare += sizes.rare;
      total.failed += sizes.failed;
      if (sizes.status === 'warn') status = 'warn';
    }
    return { ...total, status };
  }

  /** Categories that have changed since they were taken last. */
  takeChanged(): PartitionCategory[] {
    const changed: PartitionCategory[] = [];
    for (const [partition, { categoriser }] of this.#partitions)
      for (const category of categoriser.categories) {
        if (!category.isChanged) continue;
        category.isChanged = false;
        changed.push({ partition: this.#named(partition), category });
      }
    return changed;
  }

  /** Sizes of partitions that have had lines since they were taken last. */
  takeSizes(): PartitionSizes[] {
    const changed: PartitionSizes[] = [];
    for (const [partition, own] of this.#partitions) {
      if (!own.isChanged) continue;
      changed.push({ partition: this.#named(partition), sizes: sizesOf(own), hasTurned: own.hasTurned });
      own.isChanged = false;
      own.hasTurned = false;
    }
    return changed;
  }

  #named(partition: string): string | null {
    return (this.#spec.partition ?? null) === null ? null : partition;
  }

  toJson(): unknown {
    const partitions = [...this.#partitions].map(([name, { categoriser, ...rest }]) => ({
      ...{ name, ...rest, categories: categoriser.toJson() },
    }));
    return { made: this.#made, refused: this.#refused, partitions };
  }

  /** Reads what `toJson` returned, or what the categoriser of a job without partitions did. */
  restore(json: unknown): void {
    if (!Object.hasOwn(json as object, 'partitions')) {
      const categoriser = this.#categoriser(json);
      this.#made = categoriser.categories.length;
      const lines = categoriser.categories.reduce((sum, { matches }) => sum + matches, 0);
      const rest = { lines, lookAt: Math.max(lines, LINES_LEAST), status: 'ok' as const };
      this.#partitions.set('', { categoriser, ...rest, isChanged: false, hasTurned: false });
      return;
    }
    const { made, refused, partitions } = json as {
      made: number;
      refused: number;
      partitions: (Omit<Partition, 'categoriser'> & { name: string; categories: unknown })[];
    };
    this.#made = made;
    this.#refused = refused;
    for (const { name, categories, ...rest } of partitions)
      this.#partitions.set(name, { ...rest, categoriser: this.#categoriser(categories) });
  }
}

function sizesOf({ categoriser, lines, status }: Pick<Partition, 'categoriser' | 'lines' | 'status'>): CategorySizes {
  const { categories, failed } = categoriser;
  let frequent = 0;
  let rare = 0;
  for (const { matches } of categories) {
    if (matches > FREQUENT_SHARE * lines) frequent++;
    if (matches === 1) rare++;
  }
  return { lines, categories: categories.length, frequent, rare, failed, status };
}

/** What 8.12 documents as the reasons for `warn`, of which dead categories do not come up here. */
function statusOf({ categories, lines, frequent, rare }: CategorySizes): CategorizationStatus {
  if (lines < LINES_LEAST) return 'ok';
  const isPoor = categories === 1 || frequent === 0 || rare > 0.9 * categories || categories > lines / 2;
  return isPoor ? 'warn' : 'ok';
}
