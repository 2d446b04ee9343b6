import type { AnalysisRegistry } from '@shoal/analysis';
import type { FieldEntry } from '@shoal/segments';
import type { FieldType } from './field-type.js';

export type Dynamic = 'true' | 'false' | 'strict' | 'runtime';

/** Limits of `index.mapping.*` and what else of the settings a mapping looks at. */
export interface MappingOptions {
  readonly analysis: AnalysisRegistry;
  readonly totalFieldsLimit: number;
  readonly depthLimit: number;
  readonly nestedFieldsLimit: number;
  readonly nestedObjectsLimit: number;
  readonly fieldNameLengthLimit: number;
  readonly coerce: boolean;
  readonly ignoreMalformed: boolean;
  /** Names under `index.similarity`. */
  readonly similarities?: ReadonlySet<string>;
}

/** An object or nested object of the mapping. */
export interface ObjectMapping {
  readonly path: string;
  readonly isNested: boolean;
  readonly dynamic: Dynamic;
  readonly enabled: boolean;
}

/** An index's mapping, parsed. Immutable. */
export interface Mapping {
  /**
   * Leaf fields, multi-fields and aliases by full path; aliases are resolved. Metadata fields (`_id`, `_seq_no`,
   * `_index` …) are not in here.
   */
  field(path: string): FieldType | null;
  /** Fields whose path matches a pattern with `*`. */
  matching(pattern: string): readonly FieldType[];
  /** All leaf fields in order of path, multi-fields included, aliases not. */
  readonly fields: readonly FieldType[];
  /** Aliases: path → target path. */
  readonly aliases: ReadonlyMap<string, string>;
  object(path: string): ObjectMapping | null;
  readonly objects: readonly ObjectMapping[];
  /** The innermost nested object at or above a path, or null. */
  nestedParent(path: string): ObjectMapping | null;
  readonly hasNested: boolean;
  readonly routingRequired: boolean;
  readonly source: SourceOptions;
  /** As `GET /i/_mapping` shows it. */
  toJson(): Record<string, unknown>;
  /** The definition of one field for `GET /i/_mapping/field/f`. */
  fieldJson(path: string, includeDefaults: boolean): Record<string, unknown> | null;
}

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

export interface ParsedDocument {
  /** Nested documents first, in order of appearance, deepest first; the root last. */
  readonly parts: readonly ParsedPart[];
  readonly ignored: readonly string[];
  /**
   * Fields that the mapping does not know yet, as a mapping to merge (`{"properties": …}`), or null. The document is
   * indexed only once the master has merged it.
   */
  readonly dynamicUpdate: Record<string, unknown> | null;
}

export interface DocumentContext {
  readonly id: string | null;
  readonly nowMs: number;
  /** Bulk's `dynamic_templates`: field path → template name. */
  readonly dynamicTemplates?: Readonly<Record<string, string>>;
  /** The document was taken once, under the mapping of that time: what today's would refuse or add is left out. */
  readonly isLogged?: boolean;
}
