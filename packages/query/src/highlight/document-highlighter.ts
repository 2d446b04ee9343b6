import { errors } from '@shoal/errors';
import { extractAll } from '@shoal/json';
import type { FieldType } from '@shoal/mapping';
import { matchesWildcard } from '@shoal/values';
import { isCompletion } from '../full-text/completion-plan.js';
import type { HighlightDocument } from '../fetch/render-hits.js';
import type { Plan } from '../plan.js';
import { planQuery } from '../plan-query.js';
import type { Pause, Searcher } from '../searcher.js';
import { completionText, inputToken } from './completion-tokens.js';
import { type FieldText, fieldText } from './field-text.js';
import type { HighlightField, HighlightOptions } from './highlight-spec.js';
import type { Matching, MatchPlace } from './matching.js';
import { plainMatching, planMatching, wordMatching } from './plan-matches.js';
import { plainFragments, type PlainValue } from './plain.js';
import { inTurns } from './steps.js';
import { unifiedFragments } from './unified.js';
import { flatPhrases } from './vector/flat-terms.js';
import { findPhrases, type FoundPhrase, mergePhrases } from './vector/phrase-list.js';
import { phraseMaps, type PhraseNode } from './vector/phrase-map.js';
import { vectorFragments } from './vector/vector-fragments.js';

/** Inputs of binding a highlighter besides the searcher. */
export interface HighlightContext {
  readonly now: () => number;
  /** Path of the nested object that the documents are, or null. */
  readonly nestedPath: string | null;
  /** Pauses of the request. */
  readonly pause: Pause;
}

interface Bound {
  /** Name in the answer. */
  readonly name: string;
  readonly type: FieldType;
  readonly options: HighlightOptions;
  /** Finds what the unified or the plain highlighter marks. */
  readonly matching: Matching;
  /** Terms and phrases that the vector highlighter marks; null for other highlighters. */
  readonly phrases: PhraseNode | null;
  readonly isField: (field: string) => boolean;
  /** Paths of the values in the document's source. */
  readonly paths: readonly string[];
  /** `ignore_above` of keywords: longer values are not in the index. */
  readonly ignoreAbove: number;
  /** `null_value` of the field; null if it has none. */
  readonly nullValue: string | null;
  /** Whether the index has offsets. Then Elasticsearch does not analyse the text again, so no length limit applies. */
  readonly hasOffsets: boolean;
  /** Whether the values are read from the document as it was indexed. */
  readonly isStored: boolean;
}

/**
 * Binds the fields of a `highlight` body and the query to a searcher. The function throws for unknown types of
 * highlighters and for fields that cannot be highlighted.
 */
export function documentHighlighter(
  asked: readonly HighlightField[],
  plan: Plan,
  searcher: Searcher,
  context: HighlightContext,
): HighlightDocument | null {
  // Of entries that show the same field, the last one counts.
  const byName = new Map(
    asked.flatMap((field) => bind(field, plan, searcher, context)).map((field) => [field.name, field]),
  );
  const fields = [...byName.values()];
  if (fields.length === 0) return null;
  return async (segment, doc, source, raw) => {
    let found: Record<string, unknown> | null = null;
    for (const field of fields) {
      checkOptions(field.type, field.options);
      await context.pause();
      const place = { searcher, segment, doc, isField: field.isField };
      const fragments = await highlightField(field, place, field.isStored ? raw() : source, context.pause);
      if (fragments.length > 0) (found ??= Object.create(null) as Record<string, unknown>)[field.name] = fragments;
    }
    return found;
  };
}

function bind(
  { pattern, options }: HighlightField,
  plan: Plan,
  searcher: Searcher,
  context: HighlightContext,
): Bound[] {
  const { mapping } = searcher;
  const given = mapping.field(pattern);
  const named: (readonly [name: string, type: FieldType])[] = pattern.includes('*')
    ? namesMatching(pattern, mapping).filter(
        ([, type]) => type.capabilities.isHighlighted && canHighlight(type, options),
      )
    : given
      ? [[pattern, given]]
      : [];
  const own = options.highlightQuery
    ? planQuery(options.highlightQuery, {
        searcher,
        now: context.now,
        nestedPath: context.nestedPath,
        innerHits: [],
      })
    : plan;
  const matching = matchingOf(own, options);
  const phrasesIn = options.type === 'fvh' ? phraseMaps(flatPhrases(own, searcher)) : null;
  return named.map(([name, type]) => {
    const names = [type.name, ...options.matchedFields];
    const json = type.toJson(false);
    const isField = options.requireFieldMatch ? (field: string) => names.includes(field) : () => true;
    return {
      name,
      type,
      options,
      matching,
      // Lucene finds no phrases in term vectors without positions.
      phrases: json['term_vector'] === 'with_offsets' ? null : (phrasesIn?.(isField) ?? null),
      isField,
      paths: isHidden(type, json, searcher, context) ? [] : sourcePaths(type.name, searcher, context.nestedPath),
      ignoreAbove: Number(json['ignore_above'] ?? Infinity),
      nullValue: typeof json['null_value'] === 'string' ? json['null_value'] : null,
      hasOffsets:
        json['index_options'] === 'offsets' || String(json['term_vector']).startsWith('with_positions_offsets'),
      isStored: json['store'] === true,
    };
  });
}

/** The unified highlighter cannot tell which clauses match if it looks at the terms of all fields. */
function matchingOf(plan: Plan, { type, requireFieldMatch }: HighlightOptions): Matching {
  if (type === 'plain') return plainMatching(plan);
  return requireFieldMatch ? planMatching(plan) : wordMatching(plan);
}

/** Returns the fields and aliases that match a pattern, with their types. */
function namesMatching(pattern: string, mapping: Searcher['mapping']): (readonly [name: string, type: FieldType])[] {
  const fields = mapping
    .matching(pattern)
    .flatMap((type) => (matchesWildcard(pattern, type.name) ? [[type.name, type] as const] : []));
  const aliases = [...mapping.aliases.keys()].flatMap((name) => {
    const type = matchesWildcard(pattern, name) ? mapping.field(name) : null;
    return type === null ? [] : [[name, type] as const];
  });
  return [...fields, ...aliases];
}

/** Whether the highlighter can show the field; patterns leave out fields that it cannot. */
const canHighlight = (type: FieldType, { type: highlighter }: Pick<HighlightOptions, 'type'>): boolean =>
  highlighter !== 'fvh' || /^with_(?:positions_)?offsets/.test(String(type.toJson(true)['term_vector']));

/** Throws at the first hit, as the highlighters of Elasticsearch do: a search without hits does not fail. */
function checkOptions(
  type: FieldType,
  { type: highlighter, fragmenter, numberOfFragments, boundaryScanner }: HighlightOptions,
): void {
  if (highlighter === 'unified' && boundaryScanner === 'chars')
    throw errors.illegalArgument('Invalid boundary scanner type: chars');
  if (!canHighlight(type, { type: highlighter })) {
    throw errors.illegalArgument(
      `the field [${type.name}] should be indexed with term vector with position offsets to be used with fast ` +
        'vector highlighter',
    );
  }
  if (!['unified', 'plain', 'fvh'].includes(highlighter))
    throw errors.illegalArgument(`unknown highlighter type [${highlighter}] for the field [${type.name}]`);
  if (highlighter === 'plain' && numberOfFragments > 0 && fragmenter !== 'span' && fragmenter !== 'simple') {
    throw errors.illegalArgument(`unknown fragmenter option [${fragmenter}] for the field [${type.name}]`);
  }
}

/** Whether values are stored with nested documents, which the highlighter of the document around does not look at. */
function isHidden(
  { name }: FieldType,
  json: Readonly<Record<string, unknown>>,
  { mapping }: Searcher,
  { nestedPath }: HighlightContext,
): boolean {
  return json['store'] === true && (mapping.nestedParent(name)?.path ?? null) !== nestedPath;
}

/** Returns the paths of the values of a field in the source of a document, or of the nested object that is a hit. */
function sourcePaths(name: string, { mapping }: Searcher, nestedPath: string | null): readonly string[] {
  const prefix = nestedPath === null ? '' : `${nestedPath}.`;
  return mapping.sourcePaths(name).map((path) => (path.startsWith(prefix) ? path.slice(prefix.length) : path));
}

async function highlightField(
  field: Bound,
  place: MatchPlace,
  source: Record<string, unknown>,
  pause: Pause,
): Promise<string[]> {
  const values = valuesOf(field, source);
  if (values.length === 0) return [];
  const { type, options } = field;
  const length = values.reduce((sum, value) => sum + value.length + 1, -1);
  const limit = analyzedLimit(length, field, place.searcher, place.doc);
  const textOf = textReader(type, limit, pause);
  if (options.type === 'plain') {
    const found: PlainValue[] = [];
    for (const value of values) {
      const text = await textOf([value]);
      found.push({ text, found: (await inTurns(field.matching(text, place), pause)) ?? [] });
    }
    return inTurns(plainFragments(found, options), pause);
  }
  if (options.type === 'fvh') return vectorOf(field, values, place, textOf, pause);
  const text = await textOf(values);
  const found = await inTurns(field.matching(text, place), pause);
  return inTurns(unifiedFragments(text, found, options), pause);
}

/** Returns what analyses values as the field's index does. */
function textReader(type: FieldType, limit: number, pause: Pause): (values: readonly string[]) => Promise<FieldText> {
  if (isCompletion(type)) {
    const token = inputToken(type);
    return async (values) => completionText(await fieldText(values, token, limit, pause));
  }
  const tokens = type.indexAnalyzer ?? ((value: string) => type.normalize(value));
  return (values) => fieldText(values, tokens, limit, pause);
}

/** Marks the phrases of the field, or of all of its `matched_fields`: other analyses of the same text. */
async function vectorOf(
  { type, options, phrases }: Bound,
  values: readonly string[],
  { searcher }: MatchPlace,
  textOf: (values: readonly string[]) => Promise<FieldText>,
  pause: Pause,
): Promise<string[]> {
  const names = options.matchedFields.length === 0 ? [type.name] : options.matchedFields;
  const lists: FoundPhrase[][] = [];
  for (const name of phrases === null ? [] : names) {
    const analyzer = searcher.mapping.field(name)?.indexAnalyzer;
    const isOwn = name === type.name || !analyzer;
    const { tokens } = isOwn ? await textOf(values) : await fieldText(values, analyzer, Infinity, pause);
    lists.push(await inTurns(findPhrases(tokens, phrases!, options.phraseLimit), pause));
  }
  return vectorFragments(values, lists.length === 0 ? [] : mergePhrases(lists), options);
}

/** A value as highlighters show it: keywords normalised, texts as they were given. */
function shownText(type: FieldType, value: string, raw: unknown): string {
  if (type.capabilities.holdsText) return value;
  return type.valueKind === 'keyword' ? type.normalize(value) : String(type.fetchValue(raw, null) ?? value);
}

/** Returns the texts of a field in a document; a null of a keyword is its `null_value`, if it has one. */
function valuesOf({ type, paths, ignoreAbove, nullValue }: Bound, source: Record<string, unknown>): string[] {
  const values: string[] = [];
  for (const given of extractAll(source, paths)) {
    const raw = given ?? nullValue;
    if (raw === null || typeof raw === 'object') continue;
    const value = String(raw);
    if (value.length <= ignoreAbove) values.push(shownText(type, value, raw));
  }
  return values;
}

/**
 * Returns the number of characters to analyse. Without `max_analyzed_offset` in the request, a longer text is refused.
 */
function analyzedLimit(
  length: number,
  { type, options, hasOffsets }: Bound,
  { settings, index }: Searcher,
  doc: number,
): number {
  const max = settings.maxAnalyzedOffset;
  if (options.type === 'fvh') return Infinity;
  if (options.maxAnalyzedOffset !== null) return options.maxAnalyzedOffset;
  if (length <= max || max < 0 || (hasOffsets && options.type !== 'plain')) return Infinity;
  throw errors.illegalArgument(
    `The length [${length}] of field [${type.name}] in doc[${doc}]/index[${index}] exceeds the ` +
      `[index.highlight.max_analyzed_offset] limit [${max}]. ` +
      'To avoid this error, set the query parameter [max_analyzed_offset] to a value less than index setting ' +
      `[${max}] and this will tolerate long field values by truncating them.`,
  );
}
