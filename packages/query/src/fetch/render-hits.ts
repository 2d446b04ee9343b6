import { errors } from '@shoal/errors';
import { compileSourceFilter, parseSource, type SourceFilter, stringify } from '@shoal/json';
import type { FieldType, Mapping, RuntimeValues } from '@shoal/mapping';
import { matchesWildcard } from '@shoal/values';
import type { Explanation } from '../plans/explanation-tree.js';
import type { PlanOf } from '../execute/plan-of.js';
import { addSlots } from '../percolate/percolated-hits.js';
import type { Plan } from '../plan.js';
import type { Progress, Searcher, SegmentView, StoredDocument } from '../searcher.js';
import { type DocValueFields, docValueFields } from './doc-value-fields.js';
import type { FetchSpec, FieldSpec } from './fetch-spec.js';
import { checkPatterns, type FieldFetcher, fieldFetcher } from './field-fetcher.js';
import { type LookupReader, lookupReader, withLookups } from './field-lookups.js';
import { fieldsPlace, hitBytes, type HitParts as ShownParts } from './hit-text.js';
import { ScriptFieldReader } from './script-fields.js';
import { type MatchedQueries, matchedQueries } from './matched-queries.js';
import { identityText, type NestedIdentity, nestedSource } from './nested-identity.js';

/**
 * Highlights a document, or the nested object of a nested hit, from its parsed source. Returns null when nothing is
 * highlighted.
 */
export type HighlightDocument = (
  segment: SegmentView,
  doc: number,
  source: Record<string, unknown>,
  /** Returns the document as it was indexed, for stored fields. */
  raw: () => Record<string, unknown>,
) => Promise<Record<string, unknown> | null>;

/** Inner hits of a document as JSON text, or null. */
export type InnerHitsOf = (
  segment: SegmentView,
  doc: number,
  document: StoredDocument,
  source: () => Record<string, unknown>,
) => Promise<string | null>;

/** Fetch options bound to a searcher. */
export interface HitPlan {
  readonly spec: FetchSpec;
  /** The query and those of rescoring, for their named queries. */
  readonly plans: readonly Plan[];
  /** Path of the nested objects that the hits are, or null if they are documents. */
  readonly nestedPath: string | null;
  readonly withType: boolean;
  readonly showsQueryScores: boolean;
  /** Whether what hits need of other documents is appended to them, for `lookup` fields. */
  readonly showsLookups: boolean;
  readonly highlight: HighlightDocument | null;
  /** Queries whose hits show which of the given documents they match. */
  readonly percolates: readonly PlanOf<'percolate'>[];
  readonly explain: ((doc: number, score: number | null) => Explanation) | null;
  readonly innerHits: InnerHitsOf | null;
}

/** A hit that the query phase selected. `doc` is numbered over the whole searcher. */
export interface FetchedDoc {
  readonly doc: number;
  readonly score: number | null;
  /** Sort values of the hit as JSON text; null without a sort. */
  readonly sort: string | null;
  /** Place of a nested hit in its root; absent for documents. */
  readonly nested?: NestedIdentity;
  /** Root document of a nested hit, if the caller has already read it. */
  readonly root?: { readonly document: StoredDocument; readonly source: Record<string, unknown> };
}

/** Bytes of rendered hits that are charged at a time. */
const CHARGED_BYTES = 64 * 1024;

/**
 * Renders hits in the given order and charges their bytes: a script may make a megabyte of each. Throws
 * task_cancelled_exception when the caller is gone, circuit_breaking_exception when there is no memory for them.
 */
export async function renderHits(
  searcher: Searcher,
  plan: HitPlan,
  docs: readonly FetchedDoc[],
  progress: Progress,
): Promise<Uint8Array[]> {
  const renderer = new HitRenderer(searcher, plan);
  const matching = renderer.matchedQueries(docs, progress);
  const names = matching === null ? null : await matching;
  const hits: Uint8Array[] = [];
  let uncharged = 0;
  for (let i = 0; i < docs.length; i++) {
    if (progress.sliceOver()) await progress.yield();
    progress.check();
    const hit = renderer.render(docs[i]!, names?.[i] ?? null);
    const rendered = hit instanceof Uint8Array ? hit : await hit;
    hits.push(rendered);
    uncharged += rendered.length;
    if (uncharged < CHARGED_BYTES) continue;
    progress.charge?.(uncharged);
    uncharged = 0;
  }
  return hits;
}

type MatchedNames = ReadonlyMap<string, number> | null;

/** A hit with its document, on the way to its JSON. */
interface HitParts {
  readonly hit: FetchedDoc;
  readonly document: StoredDocument;
  /** Returns the parsed source of the document. */
  readonly root: () => Record<string, unknown>;
  readonly names: ReadonlyMap<string, number> | null;
}

class HitRenderer {
  readonly #searcher: Searcher;
  readonly #plan: HitPlan;
  readonly #filter: SourceFilter | null;
  readonly #fields: FieldFetcher | null;
  readonly #stored: FieldFetcher | null;
  readonly #docValues: DocValueFields | null;
  readonly #scripts: ScriptFieldReader | null;
  readonly #lookups: LookupReader | null;
  readonly #needsParsed: boolean;

  constructor(searcher: Searcher, plan: HitPlan) {
    const { spec, nestedPath } = plan;
    this.#searcher = searcher;
    this.#plan = plan;
    if (nestedPath !== null && spec.seqNoPrimaryTerm)
      throw errors.unsupportedOperation('nested documents are not assigned sequence numbers');
    this.#filter = spec.source.isShown ? compileSourceFilter(spec.source.includes, spec.source.excludes) : null;
    this.#fields = spec.fields.length === 0 ? null : fieldFetcher(spec.fields, searcher.mapping, nestedPath);
    this.#lookups = plan.showsLookups && nestedPath === null ? lookupReader(spec.fields, searcher) : null;
    this.#stored = storedFetcher(spec, searcher, nestedPath);
    // Sources do not have the time series of documents: `fields` shows it from its column.
    const columns = [...spec.docvalueFields, ...spec.fields.filter(({ field }) => field === '_tsid')];
    this.#docValues = columns.length === 0 ? null : docValueFields(columns, searcher);
    this.#scripts = spec.scriptFields.length === 0 ? null : new ScriptFieldReader(spec.scriptFields, searcher);
    this.#needsParsed =
      this.#fields !== null || this.#stored !== null || plan.highlight !== null || nestedPath !== null;
  }

  /** Returns the matched names for each of `docs`, with scores; null when no query has a name. */
  matchedQueries(docs: readonly FetchedDoc[], progress: Progress): Promise<MatchedNames[]> | null {
    const { plans, showsQueryScores } = this.#plan;
    const match = matchedQueries(plans, this.#searcher, showsQueryScores);
    return match === null ? null : this.#namesInTurns(match, docs, progress);
  }

  async #namesInTurns(match: MatchedQueries, docs: readonly FetchedDoc[], progress: Progress): Promise<MatchedNames[]> {
    const names: MatchedNames[] = docs.map(() => null);
    const order = docs.map((_, i) => i).sort((a, b) => docs[a]!.doc - docs[b]!.doc);
    for (const segment of this.#searcher.segments) {
      const own = order.filter(
        (i) => docs[i]!.doc >= segment.docBase && docs[i]!.doc < segment.docBase + segment.maxDoc,
      );
      if (own.length === 0) continue;
      const steps = match(
        segment,
        Int32Array.from(own, (i) => docs[i]!.doc - segment.docBase),
      );
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) {
        if (progress.sliceOver()) await progress.yield();
        progress.check();
      }
      const found = step.value;
      own.forEach((i, k) => (names[i] = found[k]!));
    }
    return names;
  }

  render(hit: FetchedDoc, names: ReadonlyMap<string, number> | null): Uint8Array | Promise<Uint8Array> {
    const document = hit.root?.document ?? this.#searcher.stored(hit.doc);
    let parsed: Record<string, unknown> | null = hit.root?.source ?? null;
    const root = (): Record<string, unknown> =>
      (parsed ??= document.source.length === 0 ? {} : parseSource(document.source));
    const { innerHits, highlight } = this.#plan;
    const parts = { hit, document, root, names };
    return innerHits || highlight ? this.#bytesInTurns(parts) : this.#bytes(parts, null, null);
  }

  async #bytesInTurns(parts: HitParts): Promise<Uint8Array> {
    const { hit, document, root } = parts;
    const { innerHits, highlight } = this.#plan;
    const segment = segmentOf(this.#searcher, hit.doc);
    const doc = hit.doc - segment.docBase;
    const inner = innerHits ? await innerHits(segment, doc, document, root) : null;
    if (!highlight) return this.#bytes(parts, inner, null);
    const source = hit.nested ? nestedSource(root(), hit.nested) : root();
    const raw = (): Record<string, unknown> => rawSource(document, source, hit.nested ?? null);
    return this.#bytes(parts, inner, await highlight(segment, doc, source, raw));
  }

  #bytes(
    { hit, document, root, names }: HitParts,
    innerHits: string | null,
    highlight: Record<string, unknown> | null,
  ): Uint8Array {
    const { spec } = this.#plan;
    const source = this.#needsParsed ? (hit.nested ? nestedSource(root(), hit.nested) : root()) : null;
    const isNone = spec.storedFields?.isNone === true && !hit.nested;
    const needsSegment = this.#docValues || this.#scripts || this.#plan.percolates.length > 0;
    const segment = needsSegment ? segmentOf(this.#searcher, hit.doc) : null;
    const raw = (): Record<string, unknown> => rawSource(document, source!, hit.nested ?? null);
    const runtime = (field: FieldType): RuntimeValues => this.#runtimeValues(field, hit);
    const fetched = this.#fields?.(source!, runtime) ?? null;
    const parts: ShownParts = {
      index: this.#searcher.index,
      document,
      // What reads stored fields for highlights reads the id too.
      showsId: !isNone || this.#plan.highlight !== null,
      withType: this.#plan.withType,
      shard: spec.explain ? `[${this.#searcher.index}][${this.#searcher.shard}]` : null,
      nested: hit.nested ? identityText(hit.nested) : null,
      showsVersion: spec.version,
      showsSeqNo: spec.seqNoPrimaryTerm,
      score: hit.score,
      showsRouting: !hit.nested && !isNone,
      ignored: isNone || hit.nested ? null : (document.ignored ?? null),
      fields: this.#fieldsOf(hit, segment, document, raw, fetched?.fields ?? null),
      ignoredValues: fetched?.ignored ?? null,
      highlight,
      sort: hit.sort,
      matchedQueries: names,
      showsQueryScores: this.#plan.showsQueryScores,
      explanation: spec.explain ? (this.#plan.explain?.(hit.doc, hit.score) ?? null) : null,
      innerHits,
    };
    const bytes = hitBytes(parts, this.#sourceBytes(document, source, hit.nested ?? null));
    const lookups = this.#lookups?.(source!, runtime) ?? [];
    return lookups.length === 0 ? bytes : withLookups(bytes, { ...fieldsPlace(parts), lookups });
  }

  #runtimeValues(field: FieldType, { doc }: FetchedDoc): RuntimeValues {
    const segment = segmentOf(this.#searcher, doc);
    return this.#searcher.runtime?.values(field, segment, doc - segment.docBase) ?? [];
  }

  #fieldsOf(
    hit: FetchedDoc,
    segment: SegmentView | null,
    document: StoredDocument,
    raw: () => Record<string, unknown>,
    fetched: Record<string, unknown> | null,
  ): Record<string, unknown> | null {
    const { percolates } = this.#plan;
    if (!this.#stored && !this.#docValues && !this.#scripts && percolates.length === 0) return fetched;
    const fields: Record<string, unknown> = { ...(this.#stored?.(raw(), () => []).fields ?? {}) };
    if (this.#docValues) this.#docValues.read(segment!, hit.doc - segment!.docBase, document, fields);
    if (this.#scripts) this.#scripts.read(segment!, hit.doc - segment!.docBase, document, fields);
    Object.assign(fields, fetched);
    if (percolates.length > 0) addSlots(percolates, segment!, hit.doc - segment!.docBase, fields);
    return fields;
  }

  #sourceBytes(
    document: StoredDocument,
    source: Record<string, unknown> | null,
    nested: NestedIdentity | null,
  ): Uint8Array | null {
    if (!this.#filter || document.source.length === 0) return null;
    if (!nested) return this.#filter(document.source);
    return Buffer.from(stringify(this.#filterNested(source!, nested)));
  }

  /**
   * Filters the source of a nested hit. Patterns name full paths, so the object is wrapped in its parents before
   * filtering.
   */
  #filterNested(source: Record<string, unknown>, nested: NestedIdentity): Record<string, unknown> {
    const { includes, excludes } = this.#plan.spec.source;
    if (includes.length + excludes.length === 0) return source;
    let wrapped: Record<string, unknown> = source;
    for (const { field } of [...nested].reverse()) wrapped = wrap(field, wrapped);
    const filtered = parseSource(this.#filter!(Buffer.from(stringify(wrapped))));
    return nestedSource(
      filtered,
      nested.map((place) => ({ ...place, offset: 0 })),
    );
  }
}

/** Returns the document, or its nested object, as it was indexed. */
function rawSource(
  { raw, source }: StoredDocument,
  parsed: Record<string, unknown>,
  nested: NestedIdentity | null,
): Record<string, unknown> {
  if (!raw || raw === source) return parsed;
  const root = parseSource(raw);
  return nested ? nestedSource(root, nested) : root;
}

function wrap(path: string, value: unknown): Record<string, unknown> {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
}

function storedFetcher(spec: FetchSpec, { mapping }: Searcher, nestedPath: string | null): FieldFetcher | null {
  if (!spec.storedFields || spec.storedFields.names.length === 0) return null;
  checkPatterns(spec.storedFields.names);
  const shown = (name: string, type: FieldType | null): FieldSpec[] => {
    const isStored = type !== null && isHere(type, mapping, nestedPath) && type.toJson(false)['store'] === true;
    return isStored ? [{ field: name, format: null, includeUnmapped: false }] : [];
  };
  const stored = spec.storedFields.names.flatMap((pattern) => {
    if (!pattern.includes('*')) return shown(pattern, mapping.field(pattern));
    const aliases = [...mapping.aliases.keys()].filter((alias) => matchesWildcard(pattern, alias));
    return [
      ...mapping.matching(pattern).flatMap((type) => shown(type.name, type)),
      ...aliases.flatMap((alias) => shown(alias, mapping.field(alias))),
    ];
  });
  if (stored.length === 0) return null;
  const asStored = (type: FieldType): FieldType => ({ ...type, fetchValue: type.storedValue });
  // Fields that nested objects share with the root document are its own.
  const flat = nestedPath === null ? { ...mapping, nestedParent: () => null } : mapping;
  return fieldFetcher(stored, flat, nestedPath, asStored);
}

/** Whether the documents of a nested path, or root documents, have the field: their own, or one that they share. */
function isHere({ name }: FieldType, mapping: Mapping, nestedPath: string | null): boolean {
  const parent = mapping.nestedParent(name);
  if ((parent?.path ?? null) === nestedPath) return true;
  if (parent === null || nestedPath !== null) return false;
  const isOutermost =
    mapping.nestedParent(parent.path.slice(0, parent.path.lastIndexOf('.') + 1).slice(0, -1)) === null;
  return parent.includeInRoot || (parent.includeInParent && isOutermost);
}

/** Returns the segment that holds a document, numbered over the whole searcher. */
export function segmentOf(searcher: Searcher, doc: number): SegmentView {
  const found = searcher.segments.findLast((segment) => segment.docBase <= doc);
  if (!found) throw errors.illegalState(`no segment holds document [${doc}]`);
  return found;
}
