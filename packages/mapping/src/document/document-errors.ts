import { type ApiError, errors, type ErrorLocation, isApiError } from '@shoal/errors';
import { isPlainObject, locateError } from '@shoal/json';
import { DocumentFault, type FaultPlace } from '../document-fault.js';
import { javaText } from '../parameter.js';
import type { FieldSlot } from '../compile.js';

/** A fault with its place; completed once, where source and root are at hand. */
export class LocatedFault extends Error {
  readonly location: ErrorLocation;
  readonly complete: (place: FaultPlace) => ApiError;

  constructor(location: ErrorLocation, complete: (place: FaultPlace) => ApiError) {
    super('fault in a document');
    this.location = location;
    this.complete = complete;
  }
}

function plainError(fault: unknown, place: FaultPlace): ApiError {
  return fault instanceof DocumentFault ? fault.complete(place) : (fault as ApiError);
}

/** JSON value as Java prints maps and numbers. */
function preview(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value) && !Number.isInteger(value) && Math.abs(value) >= 1e7)
    return javaDouble(value);
  return javaText(value);
}

function javaDouble(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
}

/** What a field's type threw, as the answer names it. Anything that is no fault of the value is thrown on. */
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
    if (style === 'cause' || (style === 'field' && Array.isArray(value))) {
      return errors.documentParsing(`${prefix} failed to parse: ${cause.reason ?? ''}`, { cause });
    }
    const subject = `${prefix} failed to parse field [${fieldName}] of type [${typeName}]`;
    if (style === 'field') return errors.documentParsing(subject, { cause });
    return errors.documentParsing(
      `${subject} in document with id '${id ?? ''}'. Preview of field's value: '${shown ?? preview(atFault)}'`,
      { cause },
    );
  });
}

/** A fault of the document's structure: `reason` follows the place. */
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

/** A value for a metadata field that documents may not give, or that it does not take. */
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

/** The error of a fault, with line and column of its place. */
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
    source: decoder.decode(source),
  });
}
