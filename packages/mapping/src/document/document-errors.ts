import { type ApiError, errors, type ErrorLocation, isApiError } from '@shoal/errors';
import { isPlainObject, locateError } from '@shoal/json';
import { DocumentFault, type FaultPosition } from '../document-fault.js';
import { javaText } from '../parameter.js';
import type { FieldSlot } from '../compile.js';

/** A fault with its location in the parsed source; `completeFault` makes the error, with line and column. */
export class LocatedFault extends Error {
  readonly location: ErrorLocation;
  readonly complete: (place: FaultPosition) => ApiError;

  constructor(location: ErrorLocation, complete: (place: FaultPosition) => ApiError) {
    super('fault in a document');
    this.location = location;
    this.complete = complete;
  }
}

function plainError(fault: unknown, place: FaultPosition): ApiError {
  return fault instanceof DocumentFault ? fault.complete(place) : (fault as ApiError);
}

/** Formats a JSON value as Java prints maps and numbers. */
function preview(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value) && Math.abs(value) >= 1e7)
    return javaDouble(value);
  return javaText(value);
}

function javaDouble(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/** Wraps what a field type threw, in the words of the answer. Rethrows errors that are not about the value. */
export function leafFault(
  style: FieldSlot['faultStyle'],
  fieldName: string,
  typeName: string,
  id: string | null,
  container: object,
  key: string | number,
  value: unknown,
  fault: unknown,
): LocatedFault {
  if (fault instanceof LocatedFault) return fault;
  if (!isApiError(fault) && !(fault instanceof DocumentFault)) throw fault;
  const isContainer = typeof value === 'object' && value !== null;
  const inner = fault instanceof DocumentFault ? fault.location : null;
  const shown = fault instanceof DocumentFault ? fault.preview : null;
  const atFault = inner?.key === undefined ? value : (inner.container as Record<string | number, unknown>)[inner.key];
  return new LocatedFault(inner ?? { container, key, at: isContainer ? 'end' : 'value' }, (place) => {
    const cause = plainError(fault, place);
    const prefix = `[${place.line}:${place.column}]`;
    if (style === 'cause' || (style === 'field' && Array.isArray(value) && inner === null)) {
      return errors.documentParsing(`${prefix} failed to parse: ${cause.reason ?? ''}`, { cause });
    }
    const subject = `${prefix} failed to parse field [${fieldName}] of type [${typeName}]`;
    if (style === 'field') return errors.documentParsing(subject, { cause });
    const quoted =
      shown === undefined
        ? 'Could not parse field value preview,'
        : `Preview of field's value: '${shown ?? preview(atFault)}'`;
    return errors.documentParsing(`${subject} in document with id '${id ?? ''}'. ${quoted}`, { cause });
  });
}

/** A fault in the structure of the document; its message is the position and `reason`. */
export function structureFault(
  container: object,
  key: string | number,
  reason: string,
  kind: 'documentParsing' | 'strictDynamicMapping' = 'documentParsing',
  cause?: ApiError,
  at: 'key' | 'value' = 'value',
): LocatedFault {
  return new LocatedFault({ container, key, at }, ({ line, column }) =>
    errors[kind](`[${line}:${column}] ${reason}`, cause ? { cause } : {}),
  );
}

const decoder = new TextDecoder();

function tokenWidth(container: unknown, key: string | number | undefined): number {
  const value = key === undefined ? container : (container as Record<string | number, unknown>)[key];
  if (isPlainObject(value) || Array.isArray(value)) return 1;
  return typeof value === 'string' ? Buffer.byteLength(JSON.stringify(value)) : String(value).length;
}

/** A fault for a metadata field that documents may not contain, or that refuses its value. */
export function metadataFault(
  container: object,
  key: string,
  id: string | null,
  reason: (prefix: string) => ApiError,
): LocatedFault {
  const value = (container as Record<string, unknown>)[key];
  return new LocatedFault({ container, key }, ({ line, column }) => {
    const prefix = `[${line}:${column}]`;
    const message =
      `${prefix} failed to parse field [${key}] of type [${key}] in document with id '${id ?? ''}'. Preview of ` +
      `field's value: '${preview(value)}'`;
    return errors.documentParsing(message, { cause: reason(prefix) });
  });
}

/** The error of a fault, with the line and column of its location. */
export function completeFault(fault: LocatedFault, source: Uint8Array, root: unknown): ApiError {
  const { container, key } = fault.location;
  const position = locateError(source, root, fault.location) ?? { line: 1, col: 1 };
  const start =
    fault.location.at === 'end'
      ? (locateError(source, root, { container, ...(key === undefined ? {} : { key }) }) ?? position)
      : position;
  return fault.complete({
    line: position.line,
    column: position.col,
    startColumn: start.col,
    endColumn: start.col + tokenWidth(container, key),
    isItem: Array.isArray(container),
    source: decoder.decode(source),
  });
}
