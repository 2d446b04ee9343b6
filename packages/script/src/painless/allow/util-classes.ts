import { present } from '../../runtime/access.js';
import { boxDouble, unboxNumber } from '../../runtime/boxes.js';
import { currentBudget } from '../../runtime/budget.js';
import { type Fn, first, valuesOf } from '../../runtime/collections.js';
import { compareValues } from '../../runtime/comparison.js';
import { scriptEnvironment } from '../../runtime/environment.js';
import { equalValues } from '../../runtime/equality.js';
import { JavaMap } from '../../runtime/java-map.js';
import { JavaRandom } from '../../runtime/java-random.js';
import { JavaSet } from '../../runtime/java-set.js';
import { textOf } from '../../runtime/java-text.js';
import { listAdd, mutable } from '../../runtime/lists.js';
import { addLong, type Long, wrapLong } from '../../runtime/longs.js';
import { formatText } from '../../runtime/format-text.js';
import { illegalArgument, Thrown } from '../../runtime/thrown.js';
import { JavaArray, ScriptObject, type Value } from '../../runtime/values.js';
import type { AllowTable, ClassRow } from './class-row.js';
import { entriesIn } from './maps.js';
import { nameUuidBits } from './boxes-and-patterns.js';

/** java.util.UUID: 128 bits. */
class Uuid extends ScriptObject {
  readonly javaClass = 'java.util.UUID';
  readonly bits: bigint;

  constructor(bits: bigint) {
    super();
    this.bits = bits;
  }

  toText(): string {
    const digits = this.bits.toString(16).padStart(32, '0');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }

  compare(other: unknown): number {
    const [a, b] = [BigInt.asIntN(128, this.bits), BigInt.asIntN(128, (other as Uuid).bits)];
    return a < b ? -1 : a > b ? 1 : 0;
  }

  equalTo(other: unknown): boolean {
    return other instanceof Uuid && other.bits === this.bits;
  }

  hash(): number {
    const half = (this.bits >> 64n) ^ this.bits;
    return Number(BigInt.asIntN(32, (half >> 32n) ^ half));
  }

  get identity(): string {
    return this.toText();
  }
}

function timeBased(uuid: Uuid): Uuid {
  if (((uuid.bits >> 76n) & 0xfn) !== 1n)
    throw new Thrown('java.lang.UnsupportedOperationException', 'Not a time-based UUID');
  return uuid;
}

function randomUuid(): Uuid {
  let bits = 0n;
  for (let i = 0; i < 4; i++) bits = (bits << 32n) | BigInt(Math.floor(scriptEnvironment().random() * 2 ** 32));
  const version = (bits & ~(0xfn << 76n)) | (4n << 76n);
  return new Uuid((version & ~(3n << 62n)) | (2n << 62n));
}

function parseUuid(text: string): Uuid {
  const parts = text.split('-');
  if (parts.length !== 5 || !parts.every((part) => /^[0-9a-fA-F]{1,16}$/.test(part)))
    throw illegalArgument(`Invalid UUID string: ${text}`);
  const widths = [32, 16, 16, 16, 48];
  return new Uuid(
    parts.reduce((bits, part, i) => (bits << BigInt(widths[i]!)) | BigInt.asUintN(widths[i]!, BigInt(`0x${part}`)), 0n),
  );
}

/** An encoder or a decoder of java.util.Base64. */
class Base64Coder extends ScriptObject {
  readonly javaClass: string;
  readonly isUrl: boolean;
  readonly isPadded: boolean;

  constructor(kind: 'Encoder' | 'Decoder', isUrl: boolean, isPadded = true) {
    super();
    this.javaClass = `java.util.Base64.${kind}`;
    this.isUrl = isUrl;
    this.isPadded = isPadded;
  }

  encode(bytes: JavaArray): string {
    currentBudget().charge(bytes.values.length * 4);
    const text = Buffer.from(bytes.values as number[]).toString(this.isUrl ? 'base64url' : 'base64');
    if (this.isUrl) return this.isPadded ? text.padEnd(Math.ceil(text.length / 4) * 4, '=') : text;
    return this.isPadded ? text : text.replace(/=+$/, '');
  }

  decode(text: string): JavaArray {
    const pattern = this.isUrl ? /^[\w-]*={0,2}$/ : /^[A-Za-z0-9+/]*={0,2}$/;
    if (!pattern.test(text)) throw illegalArgument('Illegal base64 character');
    currentBudget().charge(text.length * 8);
    const bytes = [...Buffer.from(text, this.isUrl ? 'base64url' : 'base64')];
    return new JavaArray(
      'byte',
      bytes.map((byte) => (byte << 24) >> 24),
    );
  }
}

/** java.util.StringTokenizer. */
class Tokenizer extends ScriptObject {
  readonly javaClass = 'java.util.StringTokenizer';
  readonly #text: string;
  readonly #areTokens: boolean;
  #delimiters: string;
  /** Places of the tokens: where each begins and ends. */
  #tokens: readonly (readonly [begin: number, end: number])[];
  #next = 0;

  constructor(text: string, delimiters = ' \t\n\r\f', areTokens = false) {
    super();
    this.#text = text;
    this.#delimiters = delimiters;
    this.#areTokens = areTokens;
    this.#tokens = this.#read(0);
  }

  /** The tokens from a place on. */
  #read(from: number): [number, number][] {
    const tokens: [number, number][] = [];
    let begin = from;
    for (let at = from; at <= this.#text.length; at++) {
      const isEnd = at === this.#text.length;
      if (!isEnd && !this.#delimiters.includes(this.#text[at]!)) continue;
      if (at > begin) tokens.push([begin, at]);
      if (this.#areTokens && !isEnd) tokens.push([at, at + 1]);
      begin = at + 1;
    }
    currentBudget().charge((this.#text.length - from) * 2 + tokens.length * 16);
    return tokens;
  }

  get left(): number {
    return this.#tokens.length - this.#next;
  }

  next(): string {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new Thrown('java.util.NoSuchElementException', null);
    this.#next++;
    return this.#text.slice(...token);
  }

  /** The next token when other characters part the rest of the text. */
  nextBy(delimiters: string): string {
    const last = this.#tokens[this.#next - 1];
    this.#delimiters = delimiters;
    this.#tokens = this.#read(last === undefined ? 0 : last[1]);
    this.#next = 0;
    return this.next();
  }
}

/** java.util.StringJoiner. */
class Joiner extends ScriptObject {
  readonly javaClass = 'java.util.StringJoiner';
  readonly #delimiter: string;
  readonly #prefix: string;
  readonly #suffix: string;
  readonly #parts: string[] = [];
  empty: string | null = null;

  constructor(delimiter: Value, prefix: Value = '', suffix: Value = '') {
    super();
    [this.#delimiter, this.#prefix, this.#suffix] = [textOf(delimiter), textOf(prefix), textOf(suffix)];
  }

  add(part: Value): this {
    const text = textOf(part);
    currentBudget().charge(text.length * 2 + 16);
    this.#parts.push(text);
    return this;
  }

  /** Adds what another joiner has joined, without its prefix and suffix. */
  merge(other: Joiner): this {
    return other.#parts.length === 0 ? this : this.add(other.#parts.join(other.#delimiter));
  }

  toText(): string {
    if (this.#parts.length === 0 && this.empty !== null) return this.empty;
    return this.#prefix + this.#parts.join(this.#delimiter) + this.#suffix;
  }
}

type StatisticsKind = 'Int' | 'Long' | 'Double';

/** java.util.IntSummaryStatistics and its kin. */
export class Statistics extends ScriptObject {
  readonly javaClass: string;
  readonly kind: StatisticsKind;
  count = 0;
  sum: Long = 0;
  min: Long;
  max: Long;

  constructor(kind: StatisticsKind, values: Iterable<Value> = []) {
    super();
    this.kind = kind;
    this.javaClass = `java.util.${kind}SummaryStatistics`;
    const [low, high] = BOUNDS[kind];
    this.min = high;
    this.max = low;
    for (const value of values) this.accept(unboxNumber(value, kind.toLowerCase(), true));
  }

  accept(value: Long): void {
    this.count++;
    this.sum = this.kind === 'Double' ? Number(this.sum) + Number(value) : addLong(this.sum, value);
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  get average(): number {
    return this.count === 0 ? 0 : Number(this.sum) / this.count;
  }

  toText(): string {
    const six = (value: Value): string => formatText('%f', [boxDouble(Number(value))]);
    const shown = this.kind === 'Double' ? six : String;
    const [sum, min, max] = [this.sum, this.min, this.max].map(shown);
    const name = this.javaClass.slice('java.util.'.length);
    return `${name}{count=${this.count}, sum=${sum}, min=${min}, average=${six(this.average)}, max=${max}}`;
  }
}

const BOUNDS: Readonly<Record<StatisticsKind, readonly [low: Long, high: Long]>> = {
  Int: [-(2 ** 31), 2 ** 31 - 1],
  Long: [-(2n ** 63n), 2n ** 63n - 1n],
  Double: [-Infinity, Infinity],
};

function statisticsRow(kind: StatisticsKind): ClassRow {
  const type = kind.toLowerCase();
  const sum = kind === 'Double' ? 'double' : 'long';
  return {
    name: `java.util.${kind}SummaryStatistics`,
    constructors: { '()': () => new Statistics(kind) },
    methods: {
      [`void accept(${type})`]: (all: Statistics, value: Long) => all.accept(value),
      'double getAverage()': (all: Statistics) => all.average,
      'long getCount()': (all: Statistics) => all.count,
      [`${sum} getSum()`]: (all: Statistics) => all.sum,
      [`${type} getMin()`]: (all: Statistics) => all.min,
      [`${type} getMax()`]: (all: Statistics) => all.max,
      [`void combine(${kind}SummaryStatistics)`]: (all: Statistics, other: Statistics) => {
        all.count += other.count;
        all.sum = kind === 'Double' ? Number(all.sum) + Number(other.sum) : addLong(all.sum, other.sum);
        if (other.min < all.min) all.min = other.min;
        if (other.max > all.max) all.max = other.max;
      },
    },
  };
}

const randomRow: ClassRow = {
  name: 'java.util.Random',
  constructors: { '()': () => new JavaRandom(null), '(long)': (seed: Long) => new JavaRandom(seed) },
  methods: {
    'boolean nextBoolean()': (random: JavaRandom) => random.nextBoolean(),
    'double nextDouble()': (random: JavaRandom) => random.nextDouble(),
    'float nextFloat()': (random: JavaRandom) => random.nextFloat(),
    'double nextGaussian()': (random: JavaRandom) => random.nextGaussian(),
    'int nextInt()': (random: JavaRandom) => random.nextInt(),
    'int nextInt(int)': (random: JavaRandom, bound: number) => random.nextBounded(bound),
    'long nextLong()': (random: JavaRandom) => random.nextLong(),
    'void setSeed(long)': (random: JavaRandom, seed: Long) => random.setSeed(seed),
  },
};

function shuffle(list: Value, random: JavaRandom): void {
  const items = mutable(list);
  for (let i = items.length; i > 1; i--) {
    const other = random.nextBounded(i);
    [items[i - 1], items[other]] = [items[other], items[i - 1]];
  }
}

function rotate(list: Value, distance: number): void {
  const items = mutable(list);
  if (items.length === 0) return;
  const shift = ((distance % items.length) + items.length) % items.length;
  items.unshift(...items.splice(items.length - shift, shift));
}

function binarySearch(list: Value, key: Value, order: Fn): number {
  const items = valuesOf(list);
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const comparison = unboxNumber(order(items[middle], key), 'int', false) as number;
    if (comparison === 0) return middle;
    if (comparison < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -(low + 1);
}

function indexOfPart(list: Value, part: Value): number {
  const [items, wanted] = [valuesOf(list), valuesOf(part)];
  currentBudget().charge(items.length * 8);
  for (let i = 0; i + wanted.length <= items.length; i++)
    if (wanted.every((value, j) => equalValues(items[i + j], value))) return i;
  return -1;
}

const collectionsRow: ClassRow = {
  name: 'java.util.Collections',
  constants: { 'Map EMPTY_MAP': new JavaMap('hash').freeze() },
  statics: {
    'boolean addAll(Collection,def[])': (list: Value, values: JavaArray) => {
      for (const value of values.values) listAdd(list, value);
      return values.values.length > 0;
    },
    'int binarySearch(List,def)': (list: Value, key: Value) => binarySearch(list, key, compareValues as Fn),
    'int binarySearch(List,def,Comparator)': binarySearch,
    'int indexOfSubList(List,List)': indexOfPart,
    'boolean replaceAll(List,def,def)': (list: Value, from: Value, to: Value) => {
      const items = mutable(list);
      let isChanged = false;
      for (let i = 0; i < items.length; i++) {
        if (!equalValues(items[i], from)) continue;
        items[i] = to;
        isChanged = true;
      }
      return isChanged;
    },
    'void rotate(List,int)': rotate,
    'void shuffle(List)': (list: Value) => shuffle(list, new JavaRandom(null)),
    'void shuffle(List,Random)': shuffle,
  },
};

/** Where the keys of a sorted map, or the values of a sorted set, begin that are not less than one. */
function placeOf(keys: readonly Value[], key: Value, map: JavaMap, isInclusive: boolean): number {
  const place = keys.findIndex((one) => map.compareKeys(one, key) >= (isInclusive ? 0 : 1));
  return place < 0 ? keys.length : place;
}

function part(map: JavaMap, begin: number, end: number): JavaMap {
  const result = map.emptyCopy();
  for (const [key, value] of map.entries().slice(begin, Math.max(begin, end))) result.put(key, value);
  return result;
}

const from = (map: JavaMap, key: Value, isInclusive: boolean): number => placeOf(map.keys(), key, map, isInclusive);

/** Keys beside one, by the place of each: below, at or below, at or above, above. */
const NEAR: Readonly<Record<string, (map: JavaMap, key: Value) => number>> = {
  lower: (map, key) => from(map, key, true) - 1,
  floor: (map, key) => from(map, key, false) - 1,
  ceiling: (map, key) => from(map, key, true),
  higher: (map, key) => from(map, key, false),
};

/** The part of a sorted map between two keys, each with its own entry or without. */
export function keysBetween(map: JavaMap, begin: Value, hasBegin: boolean, end: Value, hasEnd: boolean): JavaMap {
  if (map.compareKeys(begin, end) > 0) throw illegalArgument('fromKey > toKey');
  return part(map, from(map, begin, hasBegin), from(map, end, !hasEnd));
}

function descending(map: JavaMap): JavaMap {
  const result = new JavaMap('linked');
  for (const [key, value] of map.entries().reverse()) result.put(key, value);
  return result;
}

function polled(map: JavaMap, place: 0 | -1): Value {
  const entry = entriesIn(map).at(place) ?? null;
  if (entry) map.remove(entry.key);
  return entry;
}

export const treeMapRow: ClassRow = {
  name: 'java.util.TreeMap',
  methods: {
    ...Object.fromEntries(
      Object.entries(NEAR).flatMap(([name, place]) => [
        [`def ${name}Key(def)`, (map: JavaMap, key: Value) => map.keys()[place(map, key)] ?? null],
        [
          `java.util.Map.Entry ${name}Entry(def)`,
          (map: JavaMap, key: Value) => entriesIn(map)[place(map, key)] ?? null,
        ],
      ]),
    ),
    'java.util.SortedMap headMap(def)': (map: JavaMap, key: Value) => part(map, 0, from(map, key, true)),
    'java.util.NavigableMap headMap(def,boolean)': (map: JavaMap, key: Value, isInclusive: boolean) =>
      part(map, 0, from(map, key, !isInclusive)),
    'java.util.SortedMap tailMap(def)': (map: JavaMap, key: Value) => part(map, from(map, key, true), map.size),
    'java.util.NavigableMap tailMap(def,boolean)': (map: JavaMap, key: Value, isInclusive: boolean) =>
      part(map, from(map, key, isInclusive), map.size),
    'java.util.SortedMap subMap(def,def)': (map: JavaMap, begin: Value, end: Value) =>
      part(map, from(map, begin, true), from(map, end, true)),
    'java.util.Map descendingMap()': descending,
    'java.util.Set descendingKeySet()': (map: JavaMap) => setOf(map.keys().reverse()),
    'java.util.Set navigableKeySet()': (map: JavaMap) => setOf(map.keys()),
    'java.util.Map.Entry pollFirstEntry()': (map: JavaMap) => polled(map, 0),
    'java.util.Map.Entry pollLastEntry()': (map: JavaMap) => polled(map, -1),
  },
};

function setOf(values: Iterable<Value>, order: 'linked' | 'tree' = 'linked'): JavaSet {
  const set = new JavaSet(order);
  for (const value of values) set.add(value);
  return set;
}

function setPart({ map }: JavaSet, begin: number, end: number): JavaSet {
  return JavaSet.over(part(map, begin, end));
}

export const treeSetRow: ClassRow = {
  name: 'java.util.TreeSet',
  methods: {
    ...Object.fromEntries(
      Object.entries(NEAR).map(([name, place]) => [
        `def ${name}(def)`,
        ({ map }: JavaSet, key: Value) => map.keys()[place(map, key)] ?? null,
      ]),
    ),
    'java.util.SortedSet headSet(def)': (set: JavaSet, key: Value) => setPart(set, 0, from(set.map, key, true)),
    'java.util.NavigableSet headSet(def,boolean)': (set: JavaSet, key: Value, isInclusive: boolean) =>
      setPart(set, 0, from(set.map, key, !isInclusive)),
    'java.util.SortedSet tailSet(def)': (set: JavaSet, key: Value) => setPart(set, from(set.map, key, true), set.size),
    'java.util.NavigableSet tailSet(def,boolean)': (set: JavaSet, key: Value, isInclusive: boolean) =>
      setPart(set, from(set.map, key, isInclusive), set.size),
    'java.util.SortedSet subSet(def,def)': (set: JavaSet, begin: Value, end: Value) =>
      setPart(set, from(set.map, begin, true), from(set.map, end, true)),
    'java.util.Set descendingSet()': (set: JavaSet) => setOf([...set.values()].reverse()),
    'def pollFirst()': (set: JavaSet) => pollValue(set, 0),
    'def pollLast()': (set: JavaSet) => pollValue(set, -1),
  },
};

function pollValue(set: JavaSet, place: 0 | -1): Value {
  const value = set.values().at(place) ?? null;
  if (set.size > 0) set.delete(value);
  return value;
}

const cloned = (values: Value): Value => (values instanceof JavaSet ? setOf(values, 'linked') : [...valuesOf(values)]);

/** More of java.util: UUID, Base64, Random, tokenizers, statistics, sorted maps and sets. */
export const UTIL_CLASSES: AllowTable = [
  {
    name: 'java.util.UUID',
    parents: ['java.lang.Comparable'],
    constructors: {
      '(long,long)': (most: Long, least: Long) =>
        new Uuid((BigInt.asUintN(64, BigInt(most)) << 64n) | BigInt.asUintN(64, BigInt(least))),
    },
    statics: {
      'UUID fromString(String)': parseUuid,
      'UUID randomUUID()': randomUuid,
      'UUID nameUUIDFromBytes(byte[])': (bytes: JavaArray) => new Uuid(nameUuidBits(bytes)),
    },
    methods: {
      'long getMostSignificantBits()': ({ bits }: Uuid) => wrapLong(BigInt.asIntN(64, bits >> 64n)),
      'long getLeastSignificantBits()': ({ bits }: Uuid) => wrapLong(BigInt.asIntN(64, bits)),
      'long timestamp()': (uuid: Uuid) => {
        const { bits } = timeBased(uuid);
        const [low, middle, high] = [bits >> 96n, (bits >> 80n) & 0xffffn, (bits >> 64n) & 0xfffn];
        return wrapLong((high << 48n) | (middle << 32n) | low);
      },
      'int clockSequence()': (uuid: Uuid) => Number((timeBased(uuid).bits >> 48n) & 0x3fffn),
      'long node()': (uuid: Uuid) => wrapLong(timeBased(uuid).bits & 0xffff_ffff_ffffn),
      'int version()': ({ bits }: Uuid) => Number((bits >> 76n) & 0xfn),
      'int variant()': ({ bits }: Uuid) =>
        (bits >> 63n) & 1n ? ((bits >> 62n) & 1n ? Number((bits >> 61n) & 7n) : 2) : 0,
    },
  },
  {
    name: 'java.util.Base64',
    statics: {
      'Base64.Encoder getEncoder()': () => new Base64Coder('Encoder', false),
      'Base64.Encoder getUrlEncoder()': () => new Base64Coder('Encoder', true),
      'Base64.Decoder getDecoder()': () => new Base64Coder('Decoder', false),
      'Base64.Decoder getUrlDecoder()': () => new Base64Coder('Decoder', true),
    },
  },
  {
    name: 'java.util.Base64.Encoder',
    methods: {
      'String encodeToString(byte[])': (coder: Base64Coder, bytes: JavaArray) => coder.encode(bytes),
      'Base64.Encoder withoutPadding()': ({ isUrl }: Base64Coder) => new Base64Coder('Encoder', isUrl, false),
    },
  },
  {
    name: 'java.util.Base64.Decoder',
    methods: { 'byte[] decode(String)': (coder: Base64Coder, text: string) => coder.decode(text) },
  },
  {
    name: 'java.util.StringTokenizer',
    constructors: {
      '(String)': (text: string) => new Tokenizer(text),
      '(String,String)': (text: string, delimiters: string) => new Tokenizer(text, delimiters),
      '(String,String,boolean)': (text: string, delimiters: string, areTokens: boolean) =>
        new Tokenizer(text, delimiters, areTokens),
    },
    methods: {
      'int countTokens()': (tokens: Tokenizer) => tokens.left,
      'boolean hasMoreTokens()': (tokens: Tokenizer) => tokens.left > 0,
      'String nextToken()': (tokens: Tokenizer) => tokens.next(),
      'String nextToken(String)': (tokens: Tokenizer, delimiters: string) => tokens.nextBy(delimiters),
      'boolean hasMoreElements()': (tokens: Tokenizer) => tokens.left > 0,
      'Object nextElement()': (tokens: Tokenizer) => tokens.next(),
    },
  },
  {
    name: 'java.util.StringJoiner',
    constructors: {
      '(CharSequence)': (delimiter: Value) => new Joiner(delimiter),
      '(CharSequence,CharSequence,CharSequence)': (delimiter: Value, prefix: Value, suffix: Value) =>
        new Joiner(delimiter, prefix, suffix),
    },
    methods: {
      'StringJoiner add(CharSequence)': (joiner: Joiner, text: Value) => joiner.add(text),
      'StringJoiner merge(StringJoiner)': (joiner: Joiner, other: Joiner) => joiner.merge(present(other)!),
      'int length()': (joiner: Joiner) => joiner.toText().length,
      'StringJoiner setEmptyValue(CharSequence)': (joiner: Joiner, text: Value) => {
        joiner.empty = textOf(text);
        return joiner;
      },
    },
  },
  randomRow,
  statisticsRow('Int'),
  statisticsRow('Long'),
  statisticsRow('Double'),
  collectionsRow,
  treeMapRow,
  treeSetRow,
  {
    name: 'java.util.HashMap',
    methods: {
      'def clone()': (map: object) => {
        const copy = new JavaMap('hash');
        for (const { key, value } of entriesIn(map)) copy.put(key, value);
        return copy;
      },
    },
  },
  { name: 'java.util.HashSet', methods: { 'def clone()': cloned } },
  { name: 'java.util.ArrayList', methods: { 'def clone()': cloned } },
  { name: 'java.util.Collection', methods: { 'def[] toArray(def[])': (values: Value) => arrayOf(values) } },
  { name: 'java.util.SortedMap', parents: ['java.util.Map'] },
  { name: 'java.util.SortedSet', parents: ['java.util.Set'], methods: { 'def first()': first } },
];

const arrayOf = (values: Value): JavaArray => new JavaArray('def', [...valuesOf(values)]);

/** Statistics of a stream's values, for streams and collectors. */
export const statisticsOf =
  (kind: StatisticsKind) =>
  (values: Iterable<Value>): Statistics =>
    new Statistics(kind, values);
