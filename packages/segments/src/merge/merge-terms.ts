import { compareTerms } from '@shoal/codec';
import { PostingsWriter } from '../postings/postings-writer.js';
import type { FieldLayout, OrdinalColumn, PostingsCursor, TermsCursor, TermsReader } from '../segment-reader.js';
import { WINDOW_DOCS } from '../segment-reader.js';
import type { DictionaryMeta } from '../segment-meta.js';
import { multiOrdinals } from '../multi-values.js';
import { DictionaryWriter } from '../terms/dictionary-writer.js';
import type { ColumnMerge } from './merge-columns.js';
import { liveWindow, type MappedInput } from './merge-input.js';

/** The terms of one input, one after the other. */
interface TermSource {
  readonly cursor: TermsCursor;
  readonly terms: TermsReader | null;
  readonly input: MappedInput;
  /** New ordinal of each old one. */
  readonly ordinals: Int32Array;
  postings: PostingsCursor | undefined;
  term: string;
  isOpen: boolean;
}

function advance(source: TermSource): void {
  source.isOpen = source.cursor.next();
  if (source.isOpen) source.term = source.cursor.term;
}

/** Walks the terms that live documents refer to, of a dictionary that has no postings. */
function usedTerms(column: OrdinalColumn, input: MappedInput): TermsCursor {
  const ranks = column.ranks();
  const byRank = new Int32Array(column.ordinalCount);
  for (let ordinal = 0; ordinal < byRank.length; ordinal++) byRank[ranks === null ? ordinal : ranks[ordinal]!] = ordinal;
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
  const source: TermSource = {
    cursor: terms === null ? usedTerms(column!, input) : terms.cursor(),
    terms,
    input,
    ordinals: new Int32Array(layout.column === 'ordinals' ? (terms?.termCount ?? column!.ordinalCount) : 0),
    postings: undefined,
    term: '',
    isOpen: true,
  };
  advance(source);
  return source;
}

function smallest(sources: readonly TermSource[]): string | null {
  let term: string | null = null;
  for (const source of sources) if (source.isOpen && (term === null || compareTerms(source.term, term) < 0)) term = source.term;
  return term;
}

/** Copies one block of postings; returns the work done. */
function copyBlock(input: MappedInput, cursor: PostingsCursor, writer: PostingsWriter, positions: boolean, freqs: boolean): number {
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

export interface MergedTerms {
  readonly dictionary: DictionaryMeta;
  /** New ordinal of each old one, by input; empty where the field has no ordinals. */
  readonly ordinalMaps: readonly Int32Array[];
}

/** Merges the dictionaries of a field and, when it has them, the postings. */
export async function mergeTerms(merge: ColumnMerge, layout: FieldLayout, norms: Uint8Array | null): Promise<MergedTerms> {
  const { output, budget, inputs } = merge;
  const flags = layout.terms;
  const postings = flags === null ? null : new PostingsWriter(output, flags, norms);
  const writer = new DictionaryWriter(output, postings, flags?.freqs ?? false, flags?.positions ?? false);
  const byInput = inputs.map((input) => openSource(input, layout));
  const sources = byInput.filter((s) => s !== null);
  const seen = new Uint8Array((merge.maxDoc + 7) >>> 3);
  for (let term = smallest(sources); term !== null; term = smallest(sources)) {
    writer.begin(term);
    for (const source of sources) {
      if (!source.isOpen || source.term !== term) continue;
      if (postings === null || source.terms === null) continue;
      const cursor = (source.postings = source.terms.postings(source.cursor.ordinal, source.postings));
      while (cursor.nextBlock() > 0) {
        if (!isComplete(source)) markDocs(seen, source.input, cursor);
        if (budget.spend(8 + copyBlock(source.input, cursor, postings, flags!.positions, flags!.freqs))) await budget.rest();
      }
    }
    const ordinal = writer.end();
    for (const source of sources) if (source.isOpen && source.term === term) passTerm(source, ordinal);
    if (budget.spend(8)) await budget.rest();
  }
  const { index, ...summary } = writer.finish();
  const dictionary = { ...summary, docCount: completeDocs(sources) + countBits(seen), index };
  return { dictionary, ordinalMaps: byInput.map((s) => s?.ordinals ?? new Int32Array(0)) };
}

function passTerm(source: TermSource, ordinal: number): void {
  if (source.ordinals.length > 0) source.ordinals[source.cursor.ordinal] = ordinal;
  advance(source);
}

/** Whether all documents of the input stay, so that the field's number of documents is known. */
const isComplete = ({ input }: TermSource): boolean => input.isWhole && input.maxDoc === input.reader.maxDoc;

const completeDocs = (sources: readonly TermSource[]): number => sources.reduce((sum, s) => sum + (isComplete(s) ? (s.terms?.docCount ?? 0) : 0), 0);

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
