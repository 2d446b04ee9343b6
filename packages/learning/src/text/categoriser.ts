/**
 * Categories of log lines. Tokens with digits are variable. A line belongs to a category if enough of its tokens, words
 * of a dictionary's kind counting more, stand in it in the same order: Drain (He, Zhu, Zheng, Lyu 2017) with a common
 * subsequence instead of equal lengths.
 */

/** Similarity from which two lines belong together. */
const SIMILAR = 0.7;
const TOKENS_MAX = 100;
const CATEGORIES_MAX = 10_000;
const LINE_MAX = 1000;

/** A category of lines. */
export interface Category {
  readonly id: number;
  /** Fixed tokens that all its lines have, in order. */
  tokens: string[];
  readonly examples: string[];
  matches: number;
  maxLength: number;
  /** Weight of its tokens. */
  weight: number;
  /** Whether it has changed since the last time it was asked for. */
  isChanged: boolean;
}

/** Splits a line into tokens; those with digits are variable and left out. */
export function fixedTokens(line: string): string[] {
  const tokens: string[] = [];
  for (const token of line.slice(0, 20 * LINE_MAX).split(/[^\p{L}\p{N}_./%-]+/u)) {
    const trimmed = token.replace(/^[._/%-]+|[._/%-]+$/g, '');
    if (trimmed === '' || /\d/.test(trimmed)) continue;
    tokens.push(trimmed);
    if (tokens.length === TOKENS_MAX) break;
  }
  return tokens;
}

/** What a categoriser may do otherwise. */
export interface CategoriserOptions {
  /** Share of the weight of its tokens that a line has in common with its category. */
  readonly similar?: number;
  readonly categoriesMax?: number;
  /** Splits a line into its fixed tokens. */
  readonly tokensOf?: (line: string) => readonly string[];
  /** Gives the id of a new category, or null if there may be none; by default they are counted from 1. */
  readonly nextId?: () => number | null;
}

/** Sorts lines into categories; the first line of a kind makes a category. */
export class Categoriser {
  readonly #examplesMax: number;
  readonly #similar: number;
  readonly #tokensOf: (line: string) => readonly string[];
  readonly #nextId: () => number | null;
  readonly #categories: Category[] = [];
  /** Categories by the whole of their tokens, and by each token. */
  readonly #exact = new Map<string, Category>();
  readonly #byToken = new Map<string, Category[]>();
  #bytes = 0;
  failed = 0;

  constructor(examplesMax: number, options: CategoriserOptions = {}) {
    const { similar = SIMILAR, categoriesMax = CATEGORIES_MAX, tokensOf = fixedTokens, nextId } = options;
    this.#examplesMax = examplesMax;
    this.#similar = similar;
    this.#tokensOf = tokensOf;
    this.#nextId = nextId ?? (() => (this.#categories.length < categoriesMax ? this.#categories.length + 1 : null));
  }

  get bytes(): number {
    return this.#bytes;
  }

  get categories(): readonly Category[] {
    return this.#categories;
  }

  /** Returns the category of a line; null if there are too many categories already. */
  of(line: string): Category | null {
    const category = this.add(this.#tokensOf(line), line.length, 1);
    if (category !== null) this.#keepExample(category, line);
    return category;
  }

  /** Adds `count` lines with these tokens, the longest of `length` characters; null beyond the most categories. */
  add(tokens: readonly string[], length: number, count: number): Category | null {
    const key = tokens.join(' ');
    const category = this.#exact.get(key) ?? this.#join(tokens, key) ?? this.#create([...tokens], key);
    if (category === null) {
      this.failed++;
      return null;
    }
    category.matches += count;
    category.maxLength = Math.max(category.maxLength, length);
    category.isChanged = true;
    return category;
  }

  #keepExample(category: Category, line: string): void {
    const example = line.slice(0, LINE_MAX);
    if (category.examples.length >= this.#examplesMax || category.examples.includes(example)) return;
    category.examples.push(example);
    this.#bytes += 2 * example.length;
  }

  /** The most similar category, which keeps the tokens that it has in common with the new ones. */
  #join(tokens: readonly string[], key: string): Category | null {
    let best: Category | null = null;
    let most = this.#similar;
    const weight = totalOf(tokens);
    for (const candidate of this.#candidates(tokens)) {
      // The lighter of both is all that they can have in common.
      const heavier = Math.max(weight, candidate.weight);
      if (Math.min(weight, candidate.weight) < most * heavier) continue;
      const similarity = heavier === 0 ? 1 : suffixTable(tokens, candidate.tokens)[0]! / heavier;
      if (similarity > most || (similarity === most && best === null)) [best, most] = [candidate, similarity];
    }
    if (best === null) return null;
    this.#remember(key, best);
    best.tokens = commonTokens(best.tokens, tokens);
    best.weight = totalOf(best.tokens);
    return best;
  }

  /** Categories that share a rare token of a line with it; few tokens in common may all be frequent. */
  #candidates(tokens: readonly string[]): ReadonlySet<Category> {
    const lists = tokens.map((token) => this.#byToken.get(token) ?? []).filter((list) => list.length > 0);
    lists.sort((a, b) => a.length - b.length);
    return new Set((this.#similar < SIMILAR ? lists : lists.slice(0, 3)).flat());
  }

  #create(tokens: string[], key: string): Category | null {
    const id = this.#nextId();
    if (id === null) return null;
    const weight = totalOf(tokens);
    const category: Category = { id, tokens, examples: [], matches: 0, maxLength: 0, weight, isChanged: true };
    this.#categories.push(category);
    this.#index(category);
    this.#remember(key, category);
    return category;
  }

  #index(category: Category): void {
    for (const token of new Set(category.tokens)) {
      const list = this.#byToken.get(token);
      if (list === undefined) this.#byToken.set(token, [category]);
      else list.push(category);
    }
    this.#bytes += 300 + 60 * category.tokens.length;
  }

  #remember(key: string, category: Category): void {
    if (this.#exact.size >= 10 * CATEGORIES_MAX) return;
    this.#exact.set(key, category);
    this.#bytes += 100 + 2 * key.length;
  }

  toJson(): unknown {
    const exact = [...this.#exact].map(([key, { id }]) => [key, id]);
    return { categories: this.#categories, exact, failed: this.failed };
  }

  /** Reads what `toJson` returned. */
  static fromJson(json: unknown, examplesMax: number, options: CategoriserOptions = {}): Categoriser {
    const { categories, exact, failed } = json as {
      categories: Category[];
      exact: [string, number][];
      failed: number;
    };
    const made = new Categoriser(examplesMax, options);
    const byId = new Map(categories.map((category) => [category.id, category]));
    made.failed = failed;
    for (const category of categories) {
      category.weight = totalOf(category.tokens);
      made.#categories.push(category);
      made.#index(category);
      for (const example of category.examples) made.#bytes += 2 * example.length;
    }
    for (const [key, id] of exact) made.#remember(key, byId.get(id)!);
    return made;
  }
}

/** Words that turn the meaning of a line: "logged on" and "logged off" are not of one kind. */
const TURNS = new Set(['on', 'off', 'up', 'down', 'in', 'out', 'not', 'no']);

/**
 * Words count more than abbreviations and paths. A word that turns the meaning counts so much that it alone parts
 * lines of four words, and three words with it still have three tenths in common by one word.
 */
function weightOf(token: string): number {
  if (TURNS.has(token)) return 2.6;
  return /^[a-z]{3,}$/i.test(token) ? 2 : 1;
}
const totalOf = (tokens: readonly string[]): number => tokens.reduce((sum, token) => sum + weightOf(token), 0);

/** Lengths of longest common subsequences of all pairs of suffixes, by weight. */
function suffixTable(a: readonly string[], b: readonly string[]): Float64Array {
  const width = b.length + 1;
  const table = new Float64Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let k = b.length - 1; k >= 0; k--)
      table[i * width + k] =
        a[i] === b[k]
          ? table[(i + 1) * width + k + 1]! + weightOf(a[i]!)
          : Math.max(table[(i + 1) * width + k]!, table[i * width + k + 1]!);
  return table;
}

/** Longest common subsequence. */
function commonTokens(a: readonly string[], b: readonly string[]): string[] {
  const table = suffixTable(a, b);
  const width = b.length + 1;
  const common: string[] = [];
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    if (a[i] === b[k]) {
      common.push(a[i]!);
      i++;
      k++;
    } else if (table[(i + 1) * width + k]! >= table[i * width + k + 1]!) i++;
    else k++;
  }
  return common;
}

const escaped = (token: string): string => token.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Regular expression of the lines of a category: its tokens in order. `lazy` is what ends it, by default nothing. */
export const categoryRegex = ({ tokens }: Category, lazy: '' | '?' = ''): string =>
  tokens.length === 0 ? '.*' : `.*?${tokens.map(escaped).join('.+?')}.*${lazy}`;

/** Grok pattern of the lines of a category. */
export const categoryGrok = ({ tokens }: Category): string =>
  tokens.length === 0 ? '.*' : `.*?${tokens.map(escaped).join('.+?')}.*`;
