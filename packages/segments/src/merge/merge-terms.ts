import { compareTerms } from '@shoal/codec';
import { PostingsWriter } from '../postings/postings-writer.js';
import type {
  FieldLayout,
  OrdinalColumn,
  PostingsCursor,
  TermsCursor,
  TermsLayout,
  TermsReader,
} from '../segment-reader.js';
import { WINDOW_DOCS } from '../segment-reader.js';
import type { DictionaryMeta } from '../segment-meta.js';
import { multiOrdinals } from '../multi-values.js';
import { DictionaryWriter } from '../terms/dictionary-writer.js';
import type { ColumnMerge } from './merge-columns.js';
import { liveWindow, type MappedInput } from './merge-input.js';
import type { WorkBudget } from './work-budget.js';

/** Iterates over the terms of one input. */
class TermSource {
  readonly terms: TermsReader | null;
  readonly input: MappedInput;
  /** Whether all documents of the input stay: then the number of documents that have the field is known. */
  readonly isComplete: boolean;
  /** New ordinal of each old one; empty if the field has no ordinals. */
  readonly ordinals: Int32Array;
  term = '';
  readonly #cursor: TermsCursor;
  #postings: PostingsCursor | undefined = undefined;

  constructor(cursor: TermsCursor, terms: TermsReader | null, input: MappedInput, ordinalCount: number) {
    this.terms = terms;
    this.input = input;
    this.isComplete = input.isWhole && input.maxDoc === input.reader.maxDoc;
    this.ordinals = new Int32Array(ordinalCount);
    this.#cursor = cursor;
  }

  /** Moves to the next term; returns false if there is none. */
  next(): boolean {
    if (!this.#cursor.next()) return false;
    this.term = this.#cursor.term;
    return true;
  }

  /** Postings of the current term; the cursor is reused for the next term. */
  postings(terms: TermsReader): PostingsCursor {
    return (this.#postings = terms.postings(this.#cursor.ordinal, this.#postings));
  }

  setOrdinal(ordinal: number): void {
    if (this.ordinals.length > 0) this.ordinals[this.#cursor.ordinal] = ordinal;
  }
}

/** Iterates over the terms that live documents have, for a dictionary without postings. */
function usedTerms(column: OrdinalColumn, input: MappedInput): TermsCursor {
  const ranks = column.ranks();
  const byRank = new Int32Array(column.ordinalCount);
  for (let ordinal = 0; ordinal < byRank.length; ordinal++)
    byRank[ranks === null ? ordinal : ranks[ordinal]!] = ordinal;
  const used = usedOrdinals(column, input);
  let rank = -1;
  return {
    seek: () => false,
    next: () => {
      do rank++;
      while (rank < byRank.length && used[byRank[rank]!] === 0);
      return rank < byRank.length;
    },
    get term() {
      return column.term(byRank[rank]!);
    },
    get ordinal() {
      return byRank[rank]!;
    },
  };
}

function usedOrdinals(column: OrdinalColumn, input: MappedInput): Uint8Array {
  const used = new Uint8Array(column.ordinalCount);
  const docs = new Int32Array(WINDOW_DOCS);
  const values = multiOrdinals();
  for (let from = 0; from < input.maxDoc; from += WINDOW_DOCS) {
    const count = liveWindow(input, from, docs);
    column.readAll(docs, count, values);
    for (let v = 0; v < values.starts[count]!; v++) used[values.values[v]!] = 1;
  }
  return used;
}

function openSource(input: MappedInput, layout: FieldLayout): TermSource | null {
  const terms = input.reader.terms(layout.name);
  const column = terms === null ? input.reader.ordinals(layout.name) : null;
  if (terms === null && column === null) return null;
  const cursor = terms === null ? usedTerms(column!, input) : terms.cursor();
  const ordinalCount = layout.column === 'ordinals' ? (terms?.termCount ?? column!.ordinalCount) : 0;
  return new TermSource(cursor, terms, input, ordinalCount);
}

/** Copies one block of postings without deleted documents; returns the work done, in units of `WorkBudget`. */
function copyBlock(
  input: MappedInput,
  cursor: PostingsCursor,
  writer: PostingsWriter,
  positions: boolean,
  freqs: boolean,
): number {
  const { docs, size } = cursor;
  const counts = freqs ? cursor.freqs : null;
  let work = size;
  for (let i = 0; i < size; i++) {
    const doc = docs[i]! < input.maxDoc ? input.docMap[docs[i]!]! : -1;
    if (doc < 0) continue;
    writer.add(doc, counts === null ? 1 : counts[i]!);
    if (!positions) continue;
    const count = cursor.positions(i);
    writer.addPositions(cursor.positionBuffer, count);
    work += count;
  }
  return work;
}

/** Result of merging the terms of a field. */
export interface MergedTerms {
  readonly dictionary: DictionaryMeta;
  /** For each input the new ordinal of each old one; empty if the field has no ordinals. */
  readonly ordinalMaps: readonly Int32Array[];
}

/** Work units of a term without its postings. */
const TERM_UNITS = 8;

/** Multi-way merge of the terms of all inputs, smallest first. */
class TermMerge {
  readonly #writer: DictionaryWriter;
  readonly #postings: PostingsWriter | null;
  readonly #layout: TermsLayout | null;
  readonly #budget: WorkBudget;
  readonly #seen: Uint8Array;
  /** Inputs that have terms left, in the order of their documents. */
  #sources: TermSource[];
  /** The first `#matchingCount` are the inputs that have the smallest term. */
  readonly #matching: TermSource[];
  #matchingCount = 0;

  constructor(
    sources: readonly TermSource[],
    writer: DictionaryWriter,
    postings: PostingsWriter | null,
    layout: TermsLayout | null,
    budget: WorkBudget,
    seen: Uint8Array,
  ) {
    this.#sources = sources.filter((source) => source.next());
    this.#matching = [...this.#sources];
    this.#writer = writer;
    this.#postings = postings;
    this.#layout = layout;
    this.#budget = budget;
    this.#seen = seen;
  }

  /** Merges terms until the budget is spent; returns false once all terms are merged. */
  run(): boolean {
    while (this.#sources.length > 0) {
      this.#match();
      if (this.#budget.spend(this.#mergeTerm())) return true;
    }
    return false;
  }

  #match(): void {
    const sources = this.#sources;
    const matching = this.#matching;
    matching[0] = sources[0]!;
    let count = 1;
    for (let i = 1; i < sources.length; i++) {
      const source = sources[i]!;
      const order = compareTerms(source.term, matching[0]!.term);
      if (order > 0) continue;
      if (order < 0) count = 0;
      matching[count++] = source;
    }
    this.#matchingCount = count;
  }

  /** Merges the smallest term; returns the work done, in units of `WorkBudget`. */
  #mergeTerm(): number {
    const matching = this.#matching;
    const count = this.#matchingCount;
    let work = TERM_UNITS;
    this.#writer.begin(matching[0]!.term);
    if (this.#postings !== null)
      for (let i = 0; i < count; i++) work += this.#copyPostings(matching[i]!, this.#postings);
    const ordinal = this.#writer.end();
    for (let i = 0; i < count; i++) this.#pass(matching[i]!, ordinal);
    return work;
  }

  #pass(source: TermSource, ordinal: number): void {
    source.setOrdinal(ordinal);
    if (!source.next()) this.#sources = this.#sources.filter((other) => other !== source);
  }

  #copyPostings(source: TermSource, writer: PostingsWriter): number {
    const { terms, input } = source;
    if (terms === null) return 0;
    const cursor = source.postings(terms);
    const { positions, freqs } = this.#layout!;
    let work = 0;
    for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
      if (source.isComplete && cursor.docs[size - 1]! < input.maxDoc) {
        const before = writer.totalFreq;
        writer.addBlock(cursor, input.base);
        work += size + (positions ? writer.totalFreq - before : 0);
        continue;
      }
      if (!source.isComplete) markDocs(this.#seen, input, cursor);
      work += copyBlock(input, cursor, writer, positions, freqs);
    }
    return work;
  }
}

/** Merges the dictionaries of a field and its postings, if it has any. */
export async function mergeTerms(
  merge: ColumnMerge,
  layout: FieldLayout,
  norms: Uint8Array | null,
): Promise<MergedTerms> {
  const { output, budget, inputs } = merge;
  const flags = layout.terms;
  const postings = flags === null ? null : new PostingsWriter(output, flags, norms);
  const writer = new DictionaryWriter(output, postings, flags?.freqs ?? false, flags?.positions ?? false);
  const byInput = inputs.map((input) => openSource(input, layout));
  const sources = byInput.filter((s) => s !== null);
  const seen = new Uint8Array((merge.maxDoc + 7) >>> 3);
  const walk = new TermMerge(sources, writer, postings, flags, budget, seen);
  while (walk.run()) await budget.rest();
  const { index, ...summary } = writer.finish();
  const dictionary = { ...summary, docCount: completeDocs(sources) + countBits(seen), index };
  return { dictionary, ordinalMaps: byInput.map((s) => s?.ordinals ?? new Int32Array(0)) };
}

const completeDocs = (sources: readonly TermSource[]): number =>
  sources.reduce((sum, s) => sum + (s.isComplete ? (s.terms?.docCount ?? 0) : 0), 0);

function markDocs(seen: Uint8Array, input: MappedInput, cursor: PostingsCursor): void {
  const { docs, size } = cursor;
  for (let i = 0; i < size; i++) {
    const doc = docs[i]! < input.maxDoc ? input.docMap[docs[i]!]! : -1;
    if (doc >= 0) seen[doc >>> 3]! |= 1 << (doc & 7);
  }
}

function countBits(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) for (let b = bytes[i]!; b !== 0; b &= b - 1) count++;
  return count;
}
