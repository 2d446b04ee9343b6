import type { ApiError } from '@shoal/errors';
import type { Json } from '@shoal/json';
import type { CompiledMapping, FieldSlot, ObjectSlot } from '../compile.js';
import type { DocumentContext, MappingOptions, ParsedPart } from '../mapping-api.js';
import type { MappingUpdate } from './mapping-update.js';
import type { DocumentAccess, PartSink } from './part-sink.js';
import type { SourceNumbers } from './source-numbers.js';

/** Parse state of one document. */
export interface ParseState extends DocumentAccess {
  readonly mapping: CompiledMapping;
  readonly options: MappingOptions;
  readonly context: DocumentContext;
  readonly source: Uint8Array;
  readonly root: Json;
  /** Finished parts of nested objects; null while there are none. */
  parts: ParsedPart[] | null;
  /** Names of fields whose values were ignored; null while there are none. */
  ignored: Set<string> | null;
  /** Open parts: the root, then nested objects, innermost last. */
  readonly sinks: PartSink[];
  sink: PartSink;
  /** Location of the value that is being parsed. */
  container: object;
  key: string | number;
  nestedCount: number;
  update: MappingUpdate | null;
  /** The error of two values that give a new field different types; thrown when all else could be parsed. */
  conflict: ApiError | null;
  /** Read from the source when the text of a number is first needed. */
  numbers: SourceNumbers | null;
  /** Parses a value for a field, its multi-fields and its `copy_to` targets. */
  readonly parseField: (
    state: ParseState,
    slot: FieldSlot,
    container: object,
    key: string | number,
    value: unknown,
  ) => void;
  /** Parses the entries of an object of the source. `parents` is the path of objects from the root to this one. */
  readonly parseObject: (state: ParseState, object: ObjectSlot, json: Json, parents: readonly ObjectSlot[]) => void;
}
