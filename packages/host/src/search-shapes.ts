import type { SearchSource } from '@shoal/shard';

/** What is known of a search from its body alone. */
export interface SearchShape {
  /** Keys and fields of the body without its values: searches of one shape take about the same time. */
  readonly text: string;
  /** Whether the search may run on a thread that knows nothing but the index: no scripts, no stored queries. */
  readonly isMovable: boolean;
  /** Whether it looks at every match, not only at the best ones. */
  readonly isExhaustive: boolean;
}

/** Members of a body that are looked at; one with more members stays on the thread of its shard. */
const MEMBERS_MAX = 400;
/** Keys whose texts are names of fields. */
const FIELD_KEYS: ReadonlySet<string> = new Set(['field', 'fields', 'path']);
/** Keys of scripts in queries, sorts and aggregations, `_script` of sorts among them. */
const SCRIPT_KEY = /(?:^|_)script(?:s|ed)?(?:_|$)/;
const STAYING_KEYS: ReadonlySet<string> = new Set(['percolate', 'runtime_mappings', 'profile']);

class ShapeWriter {
  text = '';
  isMovable = true;
  #left = MEMBERS_MAX;

  add(value: unknown, key: string): void {
    if (this.#left-- <= 0) this.isMovable = false;
    else if (Array.isArray(value)) this.#addArray(value, key);
    else if (typeof value === 'object' && value !== null) this.#addObject(value);
    else if (typeof value === 'string') this.text += FIELD_KEYS.has(key) ? value : '"';
    else if (typeof value === 'number') this.text += key === 'size' ? String(Math.round(Math.log2(value + 1))) : '#';
    else this.text += String(value);
  }

  #addArray(values: readonly unknown[], key: string): void {
    this.text += '[';
    for (let i = 0; i < values.length && this.isMovable; i++) this.add(values[i], key);
    this.text += ']';
  }

  #addObject(value: object): void {
    this.text += '{';
    for (const [key, member] of Object.entries(value)) {
      if (!this.isMovable) return;
      if (STAYING_KEYS.has(key) || SCRIPT_KEY.test(key)) this.isMovable = false;
      this.text += `${key}:`;
      this.add(member, key);
    }
    this.text += '}';
  }
}

const known = new WeakMap<SearchSource, SearchShape>();

/** Returns the shape of a search. Throws what parsing the search throws. */
export function shapeOf(source: SearchSource): SearchShape {
  let shape = known.get(source);
  if (shape === undefined) {
    const writer = new ShapeWriter();
    const { json, aggregations, hitSort, collapse } = source.search;
    writer.add(json, '');
    shape = {
      text: writer.text,
      isMovable: writer.isMovable,
      isExhaustive: aggregations !== null || hitSort.length > 0 || collapse !== null,
    };
    known.set(source, shape);
  }
  return shape;
}
