import type { AnalysisRegistry } from '@shoal/analysis';
import type { Json } from '@shoal/json';
import type { FieldEntry } from '@shoal/segments';
import type { FieldType } from './field-type.js';
import type { JoinRelations } from './types/join-relations.js';

/** The parameter `dynamic`: what happens to unknown fields. */
export type Dynamic = 'true' | 'false' | 'strict' | 'runtime';

/** Limits of `index.mapping.*` and other settings that a mapping depends on. */
export interface MappingOptions {
  readonly analysis: AnalysisRegistry;
  readonly totalFieldsLimit: number;
  readonly depthLimit: number;
  readonly nestedFieldsLimit: number;
  readonly nestedObjectsLimit: number;
  readonly fieldNameLengthLimit: number;
  readonly coerce: boolean;
  readonly ignoreMalformed: boolean;
  /** Compiles a script for a place where scripts run. Throws script_exception. Absent where no script can run. */
  readonly checkScript?: (script: { readonly source: string; readonly lang: string }, context: string) => void;
  /** Names of the similarities in `index.similarity`. */
  readonly similarities?: ReadonlySet<string>;
  /** Those by which the length of a field counts tokens at the position of another; `default` for all fields. */
  readonly countsOverlaps?: ReadonlySet<string>;
  /** Limit for the number of dimensions (`index.mapping.dimension_fields.limit`). */
  readonly dimensionFieldsLimit?: number;
  /** Of an index of time series (`index.mode`: time_series); absent for others. */
  readonly timeSeries?: TimeSeriesOptions;
}

/** Settings of an index of time series that its mapping depends on. */
export interface TimeSeriesOptions {
  /** `index.routing_path`: patterns of the fields by whose values documents are routed. */
  readonly routingPath: readonly string[];
}

/** An object or nested object of the mapping. */
export interface ObjectMapping {
  readonly path: string;
  readonly isNested: boolean;
  /** Whether root documents have the fields of its nested objects too (`include_in_root`). */
  readonly includeInRoot: boolean;
  /** Whether the nested objects or documents around have them (`include_in_parent`). */
  readonly includeInParent: boolean;
  readonly dynamic: Dynamic;
  readonly enabled: boolean;
}

/** Definitions of runtime fields by path. */
export type RuntimeDefinitions = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** An index's mapping, parsed. Immutable. */
export interface Mapping {
  /**
   * Finds a leaf field, a multi-field or the target of an alias by full path; null if there is none. Metadata fields
   * (`_id`, `_seq_no`, `_index` …) are not found.
   */
  field(path: string): FieldType | null;
  /** Fields whose path matches a pattern with `*`. */
  matching(pattern: string): readonly FieldType[];
  /** All leaf fields ordered by path, including multi-fields and runtime fields, without aliases. */
  readonly fields: readonly FieldType[];
  /** Runtime fields by path. A mapped field or alias of the same path is hidden, but documents still fill it. */
  readonly runtime: ReadonlyMap<string, FieldType>;
  /** Creates types for the runtime fields of a request. Throws mapper_parsing_exception for invalid parameters. */
  runtimeTypes(definitions: RuntimeDefinitions): ReadonlyMap<string, FieldType>;
  /** Aliases: path → target path. */
  readonly aliases: ReadonlyMap<string, string>;
  object(path: string): ObjectMapping | null;
  readonly objects: readonly ObjectMapping[];
  /** The innermost nested object at or above a path; null if there is none. */
  nestedParent(path: string): ObjectMapping | null;
  /**
   * Paths in the source that the values of a field come from: its own, or that of the field of which it is a
   * multi-field; then those of the fields that are copied to it.
   */
  sourcePaths(field: string): readonly string[];
  readonly hasNested: boolean;
  /** Relations of the `join` field; null if there is no such field. */
  readonly join: JoinRelations | null;
  readonly routingRequired: boolean;
  /** Dimensions of an index of time series, by path; null for other indices, whose documents have no `_tsid`. */
  readonly dimensions: readonly FieldType[] | null;
  /** Whether each document has exactly one `@timestamp`, as those of a data stream. */
  readonly needsTimestamp: boolean;
  readonly source: SourceOptions;
  /** The mapping in the form of `GET /i/_mapping`. */
  toJson(): Record<string, unknown>;
  /** The definition of one field for `GET /i/_mapping/field/f`; null if there is none. */
  fieldJson(path: string, includeDefaults: boolean): Record<string, unknown> | null;
}

/** Parameters of `_source`. */
export interface SourceOptions {
  readonly enabled: boolean;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** One Lucene-like document: the root or a nested one. */
export interface ParsedPart {
  readonly entries: readonly FieldEntry[];
  /** Path of the nested object, null for the root. */
  readonly nestedPath: string | null;
}

/** A parsed document, ready to be indexed. */
export interface ParsedDocument {
  /** Nested documents first, in order of appearance, deepest first; the root last. */
  readonly parts: readonly ParsedPart[];
  readonly ignored: readonly string[];
  /**
   * Fields that the mapping lacks, as a mapping to merge (`{"properties": …}`); null if there are none. The document is
   * indexed only after the master has merged it and it is parsed again.
   */
  readonly dynamicUpdate: Record<string, unknown> | null;
}

/** What parsing a document depends on besides mapping and source. */
export interface DocumentContext {
  readonly id: string | null;
  /** Its routing value; null or absent for none. */
  readonly routing?: string | null;
  readonly nowMs: number;
  /** Bulk's `dynamic_templates`: field path → template name. */
  readonly dynamicTemplates?: Readonly<Record<string, string>>;
  /**
   * Whether the document was accepted before, under the mapping of that time. If so, what the present mapping would
   * refuse or add is left out, and what builds before this one took is read as they did.
   */
  readonly isLogged?: boolean;
  /** With `isLogged`: fields that the mapping lacks are proposed, as for a new document. */
  readonly proposesFields?: boolean;
  /**
   * Returns the terms of which a document must have one to match a query that is a value of the document. Throws for
   * one that cannot be stored. Absent where queries are not indexed.
   */
  readonly readQuery?: ReadQuery;
  /** The source as `parseSource` parses it, if the caller did so already. */
  readonly json?: Json | undefined;
}

/** Reads a query of the DSL that a document stores: see `DocumentContext.readQuery`. */
export type ReadQuery = (query: unknown, mapping: Mapping) => readonly string[];
