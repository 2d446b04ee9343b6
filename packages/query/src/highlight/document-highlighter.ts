import { errors } from '@shoal/errors';
import { extractValues } from '@shoal/json';
import type { FieldType } from '@shoal/mapping';
import type { HighlightDocument } from '../fetch/render-hits.js';
import type { Plan } from '../plan.js';
import { planQuery } from '../plan-query.js';
import type { Pause, Searcher } from '../searcher.js';
import { fieldText } from './field-text.js';
import type { HighlightField, HighlightOptions } from './highlight-spec.js';
import type { Matching, MatchPlace } from './matching.js';
import { planMatching } from './plan-matches.js';
import { plainFragments } from './plain.js';
import { unifiedFragments } from './unified.js';

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
  readonly matching: Matching;
  readonly isField: (field: string) => boolean;
  /** Path of the values in the document's source. */
  readonly path: string;
  /** `ignore_above` of keywords: longer values are not in the index. */
  readonly ignoreAbove: number;
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
  const fields = asked.flatMap((field) => bind(field, plan, searcher, context));
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
  const types = pattern.includes('*')
    ? mapping.matching(pattern).filter((type) => type.capabilities.isHighlighted && canHighlight(type, options))
    : given
      ? [given]
      : [];
  const own = options.highlightQuery
    ? planQuery(options.highlightQuery, {
        searcher,
        now: context.now,
        nestedPath: context.nestedPath,
        innerHits: [],
      })
    : plan;
  return types.map((type) => {
    const names = [type.name, ...options.matchedFields];
    const json = type.toJson(false);
    return {
      name: pattern.includes('*') ? type.name : pattern,
      type,
      options,
      matching: planMatching(own),
      isField: options.requireFieldMatch ? (field) => names.includes(field) : () => true,
      path: sourcePath(type.name, searcher, context.nestedPath),
      ignoreAbove: Number(json['ignore_above'] ?? Infinity),
      hasOffsets:
        json['index_options'] === 'offsets' || String(json['term_vector']).startsWith('with_positions_offsets'),
      isStored: json['store'] === true,
    };
  });
}

/** Whether the highlighter can show the field; patterns leave out fields that it cannot. */
const canHighlight = (type: FieldType, { type: highlighter }: Pick<HighlightOptions, 'type'>): boolean =>
  highlighter !== 'fvh' || String(type.toJson(true)['term_vector']).startsWith('with_positions_offsets');

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

function sourcePath(name: string, { mapping }: Searcher, nestedPath: string | null): string {
  const dot = name.lastIndexOf('.');
  const parent = dot < 0 ? null : name.slice(0, dot);
  if (parent !== null && mapping.object(parent) === null && mapping.field(parent) !== null)
    return sourcePath(parent, { mapping } as Searcher, nestedPath);
  return nestedPath !== null && name.startsWith(`${nestedPath}.`) ? name.slice(nestedPath.length + 1) : name;
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
  const text = await fieldText(values, type.indexAnalyzer ?? ((value) => type.normalize(value)), limit, pause);
  const found = field.matching(text, place);
  await pause();
  return options.type === 'plain' ? plainFragments(text, found, options) : unifiedFragments(text, found, options);
}

function valuesOf({ type, path, ignoreAbove }: Bound, source: Record<string, unknown>): string[] {
  const values: string[] = [];
  for (const raw of extractValues(source, path)) {
    if (raw === null || typeof raw === 'object') continue;
    const value = String(raw);
    if (value.length <= ignoreAbove)
      values.push(
        type.indexAnalyzer ? value : type.valueKind === 'keyword' ? value : String(type.fetchValue(raw, null) ?? value),
      );
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
  if (options.maxAnalyzedOffset !== null) return options.maxAnalyzedOffset;
  if (length <= max || max < 0 || (hasOffsets && options.type !== 'plain')) return Infinity;
  throw errors.illegalArgument(
    `The length [${length}] of field [${type.name}] in doc[${doc}]/index[${index}] exceeds the ` +
      `[index.highlight.max_analyzed_offset] limit [${max}]. ` +
      'To avoid this error, set the query parameter [max_analyzed_offset] to a value less than index setting ' +
      `[${max}] and this will tolerate long field values by truncating them.`,
  );
}
