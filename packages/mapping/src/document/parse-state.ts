import type { Json } from '@shoal/json';
import type { CompiledMapping, FieldSlot, ObjectSlot } from '../compile.js';
import type { DocumentContext, MappingOptions, ParsedPart } from '../mapping-api.js';
import type { MappingUpdate } from './mapping-update.js';
import type { DocumentAccess, PartSink } from './part-sink.js';
import type { SourceNumbers } from './source-numbers.js';

/** One document on its way. */
export interface ParseState extends DocumentAccess {
  readonly mapping: CompiledMapping;
  readonly options: MappingOptions;
  readonly context: DocumentContext;
  readonly source: Uint8Array;
  readonly root: Json;
  /** Parts of nested objects that are finished; null while there are none. */
  parts: ParsedPart[] | null;
  /** Fields whose values were dropped; null while there are none. */
  ignored: Set<string> | null;
  /** Parts that are open: the root, then nested ones. */
  readonly sinks: PartSink[];
  sink: PartSink;
  /** Where the value in hand stands. */
  container: object;
  key: string | number;
  nestedCount: number;
  update: MappingUpdate | null;
  /** Read when a number's text is first asked for. */
  numbers: SourceNumbers | null;
  /** Gives a value to a field, its multi-fields and copies. */
  readonly parseField: (
    state: ParseState,
    slot: FieldSlot,
    container: object,
    key: string | number,
    value: unknown,
  ) => void;
  /** Indexes the entries of an object of the source. `parents` leads from the root to it. */
  readonly parseObject: (state: ParseState, object: ObjectSlot, json: Json, parents: readonly ObjectSlot[]) => void;
}
