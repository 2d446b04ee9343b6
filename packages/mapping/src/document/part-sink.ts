import type { Analyzer } from '@shoal/analysis';
import { errors } from '@shoal/errors';
import type { FieldEntry, FieldLayout } from '@shoal/segments';
import { DocumentFault, tokenName } from '../document-fault.js';
import type { DocumentSink } from '../field-type.js';
import type { ParsedPart } from '../mapping-api.js';

/** An entry that is being filled. All kinds have all members, so that V8 sees one shape. */
interface GrowingEntry {
  readonly kind: FieldEntry['kind'];
  readonly layout: FieldLayout;
  terms: string[];
  readonly positions: number[];
  length: number;
  values: (number | bigint)[];
  value: Uint8Array | null;
  /** Whether a further byte string is added behind `value`, instead of replacing it. */
  appends: boolean;
  /** Position after the last token of a text field. */
  nextPosition: number;
  /** Position gap before a further text. */
  gap: number;
}

/** With more entries than this, a map finds the entry of a field. */
const SCAN_ENTRIES_MAX = 32;

/** `_field_names`: names of the document's fields that have neither a column nor norms, for `exists` queries. */
export const FIELD_NAMES_LAYOUT: FieldLayout = {
  name: '_field_names',
  terms: { freqs: false, positions: false, norms: false },
  column: null,
  points: false,
};
/** `_ignored`: names of the fields whose values were ignored. */
export const IGNORED_LAYOUT: FieldLayout = {
  name: '_ignored',
  terms: { freqs: false, positions: false, norms: false },
  column: 'ordinals',
  points: false,
};

/** `_routing`: the routing value of the document, if it has one. */
export const ROUTING_LAYOUT: FieldLayout = {
  name: '_routing',
  terms: { freqs: false, positions: false, norms: false },
  column: 'ordinals',
  points: false,
};

const NONE: never[] = [];

function newEntry(
  kind: FieldEntry['kind'],
  layout: FieldLayout,
  terms: string[],
  positions: number[],
  values: (number | bigint)[],
): GrowingEntry {
  return { kind, layout, terms, positions, length: 0, values, value: null, appends: false, nextPosition: 0, gap: 0 };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Number of tokens from index `from` on, without those at the same position as the token before. */
function lengthOf(positions: readonly number[], from: number): number {
  let length = positions.length - from;
  for (let i = from + 1; i < positions.length; i++) {
    if (positions[i] === positions[i - 1]) length--;
  }
  return length;
}

/** Services of the document to which a part belongs. */
export interface DocumentAccess {
  /** Routing value of the document. */
  readonly routing: string | null;
  /** Whether the document was accepted before. */
  readonly isLogged: boolean;
  /** Text of a number in the source. */
  numberText(value: number): string;
  propose(path: string, json: Readonly<Record<string, unknown>>): void;
  /** Values at a path in the source. */
  valuesAt(path: string): readonly unknown[];
  /** Returns the terms that a stored query requires of documents. */
  readQuery(query: unknown): readonly string[];
  /** Records a field whose value was ignored. */
  ignore(field: string): void;
}

/**
 * Collects the values of the root or of one nested object, one entry a field. A sink that is reused keeps the entries
 * of the previous document and reuses an entry if the same field comes at the same place. Creating entries anew was a
 * third of what a small document allocates.
 */
export class PartSink implements DocumentSink, ParsedPart {
  id: string | null;
  readonly nestedPath: string | null;
  /** Whether a field may get values at several places of the source, so that its entry must be looked up. */
  mayRepeat = false;
  private readonly grown: GrowingEntry[] = [];
  /** Number of entries of this document; entries behind are those of the previous one. */
  private count = 0;
  private deferred: (() => void)[] | null = null;
  private keeping: Map<FieldLayout, unknown> | null = null;
  /** Terms of this document, by field, of fields whose terms come with frequencies. */
  private weighted: Map<FieldLayout, Set<string>> | null = null;
  private byLayout: Map<FieldLayout, GrowingEntry> | null = null;
  private document: DocumentAccess;

  constructor(id: string | null, nestedPath: string | null, document: DocumentAccess) {
    this.id = id;
    this.nestedPath = nestedPath;
    this.document = document;
  }

  /** Prepares the sink for the next document. */
  begin(id: string | null, document: DocumentAccess): void {
    this.id = id;
    this.document = document;
    this.mayRepeat = false;
    this.count = 0;
    this.deferred = null;
    this.keeping = null;
    this.weighted = null;
    this.byLayout = null;
  }

  get routing(): string | null {
    return this.document.routing;
  }

  get isLogged(): boolean {
    return this.document.isLogged;
  }

  /** The entries of the part; valid once it is finished. */
  get entries(): readonly FieldEntry[] {
    return this.grown as unknown as readonly FieldEntry[];
  }

  addText(layout: FieldLayout, analyzer: Analyzer, text: string, countsOverlaps = false): void {
    const entry = this.existing(layout) ?? this.add(newEntry('tokens', layout, [], [], NONE));
    const from = entry.positions.length;
    const start = entry.nextPosition === 0 ? 0 : entry.nextPosition + entry.gap;
    entry.gap = analyzer.positionIncrementGap;
    entry.nextPosition = analyzer.collect(text, start, entry.terms, entry.positions);
    entry.length += countsOverlaps ? entry.positions.length - from : lengthOf(entry.positions, from);
  }

  addTerm(layout: FieldLayout, term: string): void {
    const entry = this.existing(layout);
    if (entry !== undefined) {
      entry.terms.push(term);
      return;
    }
    const known = this.reusable('terms', layout);
    // V8 allocates one slot for an array literal with one value, but seventeen for an empty array that grows.
    if (known === undefined) this.add(newEntry('terms', layout, [term], NONE, NONE));
    else if (known.terms.length === 1) known.terms[0] = term;
    else known.terms = [term];
  }

  addWeight(layout: FieldLayout, term: string, freq: number): boolean {
    const entry = this.existing(layout) ?? this.add(newEntry('weights', layout, [], NONE, []));
    const all = (this.weighted ??= new Map<FieldLayout, Set<string>>());
    let known = all.get(layout);
    if (known === undefined) all.set(layout, (known = new Set(entry.terms)));
    if (known.has(term)) return false;
    known.add(term);
    entry.terms.push(term);
    entry.values.push(freq);
    return true;
  }

  addNumber(layout: FieldLayout, value: number | bigint): void {
    const entry = this.existing(layout);
    if (entry !== undefined) {
      entry.values.push(value);
      return;
    }
    const known = this.reusable('numbers', layout);
    if (known === undefined) this.add(newEntry('numbers', layout, NONE, NONE, [value]));
    else if (known.values.length === 1) known.values[0] = value;
    else known.values = [value];
  }

  addPoint(layout: FieldLayout, lat: number, lon: number): void {
    const entry = this.existing(layout);
    if (entry !== undefined) {
      entry.values.push(lat, lon);
      return;
    }
    const known = this.reusable('points', layout);
    if (known === undefined) this.add(newEntry('points', layout, NONE, NONE, [lat, lon]));
    else known.values = [lat, lon];
  }

  addBinary(layout: FieldLayout, value: Uint8Array): void {
    const entry = this.existing(layout) ?? this.add(newEntry('binary', layout, NONE, NONE, NONE));
    entry.value = value;
  }

  hasValue(layout: FieldLayout): boolean {
    return this.existing(layout) !== undefined;
  }

  appendBinary(layout: FieldLayout, value: Uint8Array): void {
    const entry = this.existing(layout) ?? this.add(newEntry('binary', layout, NONE, NONE, NONE));
    entry.value = entry.value === null ? value : joined(entry.value, value);
    entry.appends = true;
  }

  later(run: () => void): void {
    (this.deferred ??= []).push(run);
  }

  kept<Value>(layout: FieldLayout, make: () => Value): Value {
    this.keeping ??= new Map();
    const known = this.keeping.get(layout) as Value | undefined;
    if (known !== undefined) return known;
    const made = make();
    this.keeping.set(layout, made);
    return made;
  }

  valuesOf(field: string): readonly unknown[] {
    const at = this.grown.findIndex(({ layout }) => layout.name === field);
    const entry = this.grown[at];
    if (!entry || at >= this.count) return [];
    if (entry.kind === 'tokens') return this.document.valuesAt(field);
    return entry.kind === 'terms' || entry.kind === 'weights' ? entry.terms : entry.values;
  }

  readQuery(query: unknown): readonly string[] {
    return this.document.readQuery(query);
  }

  markPresent(field: string): void {
    const before = this.mayRepeat;
    this.mayRepeat = true;
    this.addTerm(FIELD_NAMES_LAYOUT, field);
    this.mayRepeat = before;
  }

  ignore(field: string): void {
    this.document.ignore(field);
  }

  proposeField(path: string, json: Readonly<Record<string, unknown>>): void {
    this.document.propose(path, json);
  }

  textOf(value: unknown): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return this.document.numberText(value);
    if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
    throw new DocumentFault(({ line, startColumn }) =>
      errors.illegalState(`Can't get text on a ${tokenName(value)} at ${line}:${startColumn}`),
    );
  }

  /** Adds the entries of another part, for `include_in_parent` and `include_in_root`. */
  absorb(other: PartSink): void {
    this.mayRepeat = true;
    for (let i = 0; i < other.count; i++) {
      const from = other.grown[i]!;
      const into = this.existing(from.layout) ?? this.add(newEntry(from.kind, from.layout, [], [], []));
      const shift = into.nextPosition === 0 ? 0 : into.nextPosition + into.gap;
      for (const term of from.terms) into.terms.push(term);
      for (const position of from.positions) into.positions.push(position + shift);
      for (const value of from.values) into.values.push(value);
      into.value = from.appends && into.value !== null ? joined(into.value, from.value!) : from.value;
      into.appends = from.appends;
      into.length += from.length;
      into.nextPosition = shift + from.nextPosition;
      into.gap = from.gap;
    }
  }

  /** Runs the functions that were passed to `later`. */
  runDeferred(): void {
    if (this.deferred === null) return;
    this.mayRepeat = true;
    for (const run of this.deferred) run();
  }

  /**
   * Closes the part: adds `_field_names` for fields that have neither a column nor norms, and for texts without tokens,
   * whose norm does not tell them from no text.
   */
  finish(): ParsedPart {
    const { grown, count } = this;
    this.mayRepeat = true;
    for (let i = 0; i < count; i++) {
      const { layout, kind, terms } = grown[i]!;
      if (layout === FIELD_NAMES_LAYOUT || layout.column !== null) continue;
      const isWithoutTokens = kind === 'tokens' && terms.length === 0;
      if (!layout.terms?.norms || isWithoutTokens) this.addTerm(FIELD_NAMES_LAYOUT, layout.name);
    }
    if (grown.length > this.count) grown.length = this.count;
    return this;
  }

  /** The entry of a field that already has values in this document. */
  private existing(layout: FieldLayout): GrowingEntry | undefined {
    const last = this.count > 0 ? this.grown[this.count - 1] : undefined;
    if (last?.layout === layout) return last;
    return this.mayRepeat ? this.find(layout) : undefined;
  }

  private add(entry: GrowingEntry): GrowingEntry {
    if (this.count === this.grown.length) this.grown.push(entry);
    else this.grown[this.count] = entry;
    this.count++;
    this.byLayout?.set(entry.layout, entry);
    return entry;
  }

  /**
   * The previous document's entry at this place, if it is of the same field and kind; it then belongs to this document.
   */
  private reusable(kind: FieldEntry['kind'], layout: FieldLayout): GrowingEntry | undefined {
    const known = this.count < this.grown.length ? this.grown[this.count] : undefined;
    if (known === undefined || known.layout !== layout || known.kind !== kind) return undefined;
    this.count++;
    this.byLayout?.set(layout, known);
    return known;
  }

  private find(layout: FieldLayout): GrowingEntry | undefined {
    const { grown, count } = this;
    if (this.byLayout) return this.byLayout.get(layout);
    if (count > SCAN_ENTRIES_MAX) {
      this.byLayout = new Map(grown.slice(0, count).map((entry) => [entry.layout, entry]));
      return this.byLayout.get(layout);
    }
    for (let i = count - 1; i >= 0; i--) {
      if (grown[i]!.layout === layout) return grown[i];
    }
    return undefined;
  }
}
