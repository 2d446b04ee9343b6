import type { Dynamic, SourceOptions } from '../mapping-api.js';
import type { FieldTypeDefinition } from '../types/definition.js';
import type { DynamicTemplate } from './dynamic-template.js';

/** Definition of a leaf field. */
export interface FieldNode {
  readonly kind: 'field';
  readonly name: string;
  readonly path: string;
  readonly definition: FieldTypeDefinition;
  /** Parsed values of the parameters that the definition sets. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly multiFields: ReadonlyMap<string, FieldNode>;
  readonly copyTo: readonly string[];
}

/** Definition of a field alias. */
export interface AliasNode {
  readonly kind: 'alias';
  readonly name: string;
  readonly path: string;
  readonly target: string;
}

/** Definition of an object or nested object. Null: not set. */
export interface ObjectNode {
  readonly kind: 'object';
  readonly name: string;
  readonly path: string;
  readonly isNested: boolean;
  readonly dynamic: Dynamic | null;
  readonly enabled: boolean | null;
  readonly subobjects: boolean | null;
  readonly includeInParent: boolean | null;
  readonly includeInRoot: boolean | null;
  readonly children: ReadonlyMap<string, MappingNode>;
}

/** A node of the tree of definitions. */
export type MappingNode = FieldNode | AliasNode | ObjectNode;

/** Settings of the mapping besides its tree of fields; null: not set. */
export interface RootOptions {
  readonly dynamicTemplates: readonly DynamicTemplate[] | null;
  readonly dynamicDateFormats: readonly string[] | null;
  readonly dateDetection: boolean | null;
  readonly numericDetection: boolean | null;
  /** Definitions of runtime fields; null in an update removes one. */
  readonly runtime: ReadonlyMap<string, Readonly<Record<string, unknown>> | null>;
  readonly source: SourceOptions | null;
  readonly routingRequired: boolean | null;
  /** `_data_stream_timestamp.enabled`: each document has one `@timestamp`. */
  readonly hasTimestamp: boolean | null;
  readonly meta: Readonly<Record<string, unknown>> | null;
}

/** Definition of a whole mapping, on which merging works. */
export interface MappingTree {
  readonly root: ObjectNode;
  readonly options: RootOptions;
}

/** The path of a child. */
export function childPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** Metadata fields that a mapping may not define. */
export const METADATA_FIELDS: ReadonlySet<string> = new Set([
  '_id',
  '_index',
  '_source',
  '_routing',
  '_field_names',
  '_ignored',
  '_seq_no',
  '_primary_term',
  '_version',
  '_tier',
  '_nested_path',
  '_doc_count',
  '_type',
  '_tsid',
]);
