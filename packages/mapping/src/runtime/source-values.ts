import { compareTerms } from '@shoal/codec';
import { errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { FieldLayout } from '@shoal/segments';
import { formatDouble } from '@shoal/values';
import { DocumentFault } from '../document-fault.js';
import { type SourceNumbers, sourceNumbers } from '../document/source-numbers.js';
import type { DocumentSink, FieldType } from '../field-type.js';

/**
 * Values of a runtime field in one document: numbers (big ones beyond 2^53, 0 and 1 for booleans, milliseconds for
 * dates) or terms, ascending; or points as alternating latitudes and longitudes, in their order.
 */
export type RuntimeValues = readonly (number | bigint | string)[];

/** The source of a document, for the values of its runtime fields. */
export interface RuntimeDocument {
  readonly bytes: Uint8Array;
  readonly json: JsonObject;
}

const DECIMAL = /[.eE]/;

/** Collects the values that a field type parses. Terms, numbers and points are the only kinds of runtime fields. */
class ValueSink implements DocumentSink {
  readonly values: (number | bigint | string)[] = [];
  readonly id = null;
  readonly isLogged = false;
  readonly routing = null;
  mayRepeat = true;
  container: object;
  key: string | number = '';
  readonly #document: RuntimeDocument;
  #numbers: SourceNumbers | null = null;

  constructor(document: RuntimeDocument) {
    this.#document = document;
    this.container = document.json;
  }

  addTerm(_layout: unknown, term: string): void {
    this.values.push(term);
  }

  addWeight(): boolean {
    return true;
  }

  addNumber(_layout: unknown, value: number | bigint): void {
    this.values.push(value);
  }

  addPoint(_layout: unknown, lat: number, lon: number): void {
    this.values.push(lat, lon);
  }

  /** Numbers print as Java does: 1.0 as written, 1e30 as `1.0E30`. */
  textOf(value: unknown): string {
    if (typeof value === 'object') throw errors.illegalState('an object has no text');
    if (typeof value !== 'number') return String(value);
    this.#numbers ??= sourceNumbers(this.#document.bytes, this.#document.json);
    const text = this.#numbers.textAt(this.container, this.key, value);
    return DECIMAL.test(text) ? formatDouble(Number(text)) : text;
  }

  readQuery(): readonly string[] {
    return [];
  }

  hasValue(): boolean {
    return false;
  }

  valuesOf(): readonly unknown[] {
    return [];
  }

  addText(): void {}
  addBinary(): void {}
  appendBinary(): void {}
  markPresent(): void {}
  ignore(): void {}
  proposeField(): void {}
  later(): void {}
  kept<Value>(_layout: FieldLayout, make: () => Value): Value {
    return make();
  }
}

/** Most points of a document. Other types are not bounded here, as in 8.12. */
const POINTS_MAX = 100;

/**
 * Returns the values at the path of a runtime field in a source. Arrays are flattened; what the type cannot read is
 * left out.
 */
export function sourceValues(field: FieldType, document: RuntimeDocument): RuntimeValues {
  const sink = new ValueSink(document);
  visitPath(document.json, field.name, (container, key) => addValues(field, sink, container, key));
  const { values } = sink;
  if (field.valueKind === 'geo' && values.length > 2 * POINTS_MAX)
    throw errors.illegalArgument(
      `Runtime field [${field.name}] is emitting [${POINTS_MAX + 1}] values while the maximum number of values ` +
        `allowed is [${POINTS_MAX}]`,
    );
  return field.valueKind === 'geo' || values.length < 2 ? values : values.sort(compareValues);
}

/** Returns the values that a script emitted for a sub-field of a composite field, read as those of a source are. */
export function emittedValues(field: FieldType, emitted: readonly unknown[]): RuntimeValues {
  const json = { [field.name]: emitted };
  return sourceValues(field, { bytes: NO_BYTES, json });
}

const NO_BYTES = new Uint8Array(0);

type Visit = (container: object, key: string | number) => void;
type Container = Readonly<Record<string | number, unknown>>;

/** Visits the places of a path. A key of the source may contain dots itself. */
function visitPath(node: unknown, path: string, visit: Visit): void {
  if (Array.isArray(node)) for (const item of node) visitPath(item, path, visit);
  if (!isPlainObject(node)) return;
  if (Object.hasOwn(node, path)) visit(node, path);
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    if (Object.hasOwn(node, head)) visitPath(node[head], path.slice(dot + 1), visit);
  }
}

function addValues(field: FieldType, sink: ValueSink, container: object, key: string | number): void {
  const value = (container as Container)[key];
  if (Array.isArray(value) && !isPoint(field, value)) {
    for (let i = 0; i < value.length; i++) addValues(field, sink, value, i);
    return;
  }
  // An empty text is false where a boolean is mapped, and nothing here.
  if (value === null || (value === '' && field.valueKind === 'boolean')) return;
  sink.container = container;
  sink.key = key;
  try {
    field.parse(value, sink);
  } catch (error) {
    if (!isApiError(error) && !(error instanceof DocumentFault)) throw error;
  }
}

const isPoint = (field: FieldType, value: readonly unknown[]): boolean =>
  field.valueKind === 'geo' && typeof value[0] === 'number';

function compareValues(a: number | bigint | string, b: number | bigint | string): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTerms(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
