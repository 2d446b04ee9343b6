import type { FieldCapabilities } from '../field-capabilities.js';
import { errors } from '@shoal/errors';
import type { FieldLayout } from '@shoal/segments';
import type { FieldType, ValueFormat } from '../field-type.js';
import type { MappingOptions } from '../mapping-api.js';
import type { Parameter } from '../parameter.js';

/** A field's parameters after parsing; defaults fill in for what is not set. */
export interface FieldConfig {
  /** Full path. */
  readonly name: string;
  readonly typeName: string;
  readonly options: MappingOptions;
  /** What the type can. */
  readonly capabilities: FieldCapabilities;
  /** Whether the mapping sets the parameter. */
  isSet(parameter: string): boolean;
  boolean(parameter: string): boolean;
  number(parameter: string): number;
  text(parameter: string): string;
  /** Text or null. */
  maybeText(parameter: string): string | null;
  value(parameter: string): unknown;
  /** The definition as it is shown. */
  given(): Record<string, unknown>;
}

/** A row of the catalogue of types. */
export interface FieldTypeDefinition {
  readonly name: string;
  /** In the order in which they are shown. */
  readonly parameters: readonly Parameter[];
  /** What requests may do with its fields; nothing special unless given. */
  readonly capabilities?: FieldCapabilities;
  /** Behaviour of a field; throws mapper_parsing for parameters that contradict each other. */
  create(config: FieldConfig): FieldType;
  /** The whole JSON array is one value: points, vectors. */
  readonly takesArrays?: boolean;
  /**
   * How a value's failure is reported: with a preview (default), with the field's name only, or with the cause's
   * message.
   */
  readonly faultStyle?: 'preview' | 'field' | 'cause';
  /** Fields that a type brings along, by the end of their names (`_2gram`). */
  subfields?(config: FieldConfig): readonly FieldType[];
  /** Checks a change of parameters that no single parameter can judge. */
  readonly cannotBeMultiField?: boolean;
}

type Behaviour = Pick<
  FieldType,
  'layout' | 'valueKind' | 'parse' | 'termQuery' | 'rangeQuery' | 'format' | 'fetchValue'
> &
  Partial<FieldType>;

/** A field type from what its type decides. Parameters are shown by the mapping, so `toJson` is filled in there. */
export function fieldType(config: FieldConfig, behaviour: Behaviour): FieldType {
  return {
    name: config.name,
    typeName: config.typeName,
    capabilities: config.capabilities,
    isSearchable: behaviour.layout !== null,
    isAggregatable: behaviour.layout !== null && behaviour.layout.column !== null,
    indexAnalyzer: null,
    searchAnalyzer: null,
    searchQuoteAnalyzer: null,
    normalize: (value) => value,
    toJson: () => ({ type: config.typeName }),
    ...behaviour,
  };
}

/** Layout of a field of numbers, or null when it keeps nothing. */
export function numberLayout(
  name: string,
  kind: 'long' | 'double',
  isIndexed: boolean,
  hasColumn: boolean,
): FieldLayout | null {
  if (!isIndexed && !hasColumn) return null;
  return { name, terms: null, column: hasColumn ? kind : null, points: isIndexed };
}

/** Layout of a field of whole terms, or null. */
export function termsLayout(name: string, isIndexed: boolean, hasColumn: boolean, norms = false): FieldLayout | null {
  if (!isIndexed && !hasColumn) return null;
  return {
    name,
    terms: isIndexed ? { freqs: false, positions: false, norms } : null,
    column: hasColumn ? 'ordinals' : null,
    points: false,
  };
}

/** Refuses a search on a field that keeps nothing. */
export function checkSearchable(name: string, layout: FieldLayout | null): void {
  if (layout === null)
    throw errors.illegalArgument(`Cannot search on field [${name}] since it is not indexed nor has doc values.`);
}

/** Columns of texts: shown as they are. */
export const PLAIN_FORMAT: ValueFormat = { toJson: (value) => value, toText: String, parse: (value) => String(value) };

/** Refuses a format for a type that takes none. */
export function refuseFormat(config: FieldConfig, format: string | null, timeZone: string | null): void {
  if (format !== null) {
    throw errors.illegalArgument(`Field [${config.name}] of type [${config.typeName}] doesn't support formats.`);
  }
  refuseZone(config, timeZone);
}

/** Refuses a time zone for a type that knows none. */
export function refuseZone(config: FieldConfig, timeZone: string | null): void {
  if (timeZone !== null)
    throw errors.illegalArgument(
      `Field [${config.name}] of type [${config.typeName}] does not support custom time zones`,
    );
}

/** A query kind that a type refuses. */
export function refuseRange(config: FieldConfig): never {
  throw errors.illegalArgument(`Field [${config.name}] of type [${config.typeName}] does not support range queries`);
}
