import type { FieldCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import type { FieldLayout } from '@shoal/segments';
import type { FieldType, ValueFormat } from '../field-type.js';
import type { MappingOptions } from '../mapping-api.js';
import type { Parameter } from '../parameter.js';

/** Parsed parameters of a field, including defaults. */
export interface FieldConfig {
  /** Full path. */
  readonly name: string;
  readonly typeName: string;
  readonly options: MappingOptions;
  /** Capabilities of the type. */
  readonly capabilities: FieldCapabilities;
  /** Whether the mapping sets a parameter. */
  isSet(parameter: string): boolean;
  boolean(parameter: string): boolean;
  number(parameter: string): number;
  text(parameter: string): string;
  /** A text parameter, or null. */
  maybeText(parameter: string): string | null;
  value(parameter: string): unknown;
  /** The definition in the form of the mapping API. */
  given(): Record<string, unknown>;
}

/** A row of the catalogue of field types. */
export interface FieldTypeDefinition {
  readonly name: string;
  /** In the order in which the mapping API shows them. */
  readonly parameters: readonly Parameter[];
  /** Capabilities of its fields; none by default. */
  readonly capabilities?: FieldCapabilities;
  /** Creates a field of the type; throws mapper_parsing for contradicting parameters. */
  create(config: FieldConfig): FieldType;
  /** Whether a JSON array is one value (points, vectors) and not several. */
  readonly takesArrays?: boolean;
  /** Throws for an item of an array that the type does not take there, although it may alone. */
  readonly refuseItem?: (item: unknown) => void;
  /**
   * Message for an invalid value: with a preview (default), with the field's name only, or with the cause's message.
   */
  readonly faultStyle?: 'preview' | 'field' | 'cause';
  /** Hidden fields of the type; their names have a suffix (`_2gram`). */
  subfields?(config: FieldConfig): readonly FieldType[];
  /** Whether the type is refused as a multi-field. */
  readonly cannotBeMultiField?: boolean;
}

type FieldBehaviour = Pick<
  FieldType,
  'layout' | 'valueKind' | 'parse' | 'termQuery' | 'rangeQuery' | 'format' | 'fetchValue'
> &
  Partial<FieldType>;

/** Creates a field type from the behaviour of its type. `tree/render-tree.ts` renders definitions. */
export function fieldType(config: FieldConfig, behaviour: FieldBehaviour): FieldType {
  const field = typeOf(config, behaviour);
  return behaviour.layout === null && config.isSet('store') && config.boolean('store') ? withPresence(field) : field;
}

/** A field that is stored, but neither indexed nor in a column: only `exists` finds it. */
function withPresence(field: FieldType): FieldType {
  return {
    ...field,
    parse(value, sink) {
      field.parse(value, sink);
      if (value !== null) sink.markPresent(field.name);
    },
  };
}

function typeOf(config: FieldConfig, behaviour: FieldBehaviour): FieldType {
  return {
    name: config.name,
    typeName: config.typeName,
    capabilities: config.capabilities,
    isSearchable: behaviour.layout !== null,
    requireSearchable: () => checkSearchable(config.name, behaviour.layout),
    isAggregatable: behaviour.layout !== null && behaviour.layout.column !== null,
    indexAnalyzer: null,
    searchAnalyzer: null,
    searchQuoteAnalyzer: null,
    normalize: (value) => value,
    storedValue: (value) => behaviour.fetchValue(value, null),
    toJson: () => ({ type: config.typeName }),
    ...behaviour,
  };
}

/** Layout of a number field; null if it is neither indexed nor has a column. */
export function numberLayout(
  name: string,
  kind: 'long' | 'double',
  isIndexed: boolean,
  hasColumn: boolean,
): FieldLayout | null {
  if (!isIndexed && !hasColumn) return null;
  return { name, terms: null, column: hasColumn ? kind : null, points: isIndexed };
}

/** Layout of a field with whole values as terms; null if it is neither indexed nor has a column. */
export function termsLayout(
  name: string,
  isIndexed: boolean,
  hasColumn: boolean,
  { norms = false, freqs = false }: { readonly norms?: boolean; readonly freqs?: boolean } = {},
): FieldLayout | null {
  if (!isIndexed && !hasColumn) return null;
  return {
    name,
    terms: isIndexed ? { freqs, positions: false, norms } : null,
    column: hasColumn ? 'ordinals' : null,
    points: false,
  };
}

/** Throws for a search on a field that is neither indexed nor has a column. */
export function checkSearchable(name: string, layout: FieldLayout | null): void {
  if (layout === null)
    throw errors.illegalArgument(`Cannot search on field [${name}] since it is not indexed nor has doc values.`);
}

/** Throws for a search on a field that is not indexed, and whose type does not search columns. */
export function checkIndexed(name: string, isIndexed: boolean): void {
  if (!isIndexed) throw errors.illegalArgument(`Cannot search on field [${name}] since it is not indexed.`);
}

/** Format of columns that hold texts: printed unchanged. */
export const PLAIN_FORMAT: ValueFormat = { toJson: (value) => value, toText: String, parse: (value) => String(value) };

/** Throws if a format is given, for a type that takes none. */
export function refuseFormat(config: FieldConfig, format: string | null, timeZone: string | null): void {
  if (format !== null) {
    throw errors.illegalArgument(`Field [${config.name}] of type [${config.typeName}] does not support custom formats`);
  }
  refuseZone(config, timeZone);
}

/** Throws if a time zone is given, for a type that takes none. */
export function refuseZone(config: FieldConfig, timeZone: string | null): void {
  if (timeZone !== null)
    throw errors.illegalArgument(
      `Field [${config.name}] of type [${config.typeName}] does not support custom time zones`,
    );
}

/** Throws: the type does not support range queries. */
export function refuseRange(config: FieldConfig): never {
  throw errors.illegalArgument(`Field [${config.name}] of type [${config.typeName}] does not support range queries`);
}
