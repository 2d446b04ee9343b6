import { errors } from '@shoal/errors';
import { type ActionLine, parseActionLine } from './action-line.js';
import type { BulkRequest } from './bulk-request.js';
import { PLACE, PLACES, PLAIN_ACTIONS, scanPlainAction } from './plain-action.kernel.js';
import { type LineReader, readLines } from './split-lines.js';
import { validateOperation, validationError } from './validate-operation.js';
import type { WriteOperation } from './write-request.js';

const NO_SOURCE = new Uint8Array(0);
const NO_PIPELINES: readonly string[] = [];

function operationOf(action: ActionLine, source: Uint8Array, request: BulkRequest): WriteOperation {
  return {
    op: action.op,
    index: action.index ?? request.index ?? '',
    id: action.id,
    routing: action.routing ?? request.routing,
    requireAlias: action.requireAlias ?? request.requireAlias ?? false,
    pipeline: action.pipeline ?? request.pipeline,
    version: action.version,
    versionType: action.versionType,
    ifSeqNo: action.ifSeqNo,
    ifPrimaryTerm: action.ifPrimaryTerm,
    retryOnConflict: action.retryOnConflict,
    source,
    updateSource: action.op === 'update' ? (action.source ?? request.updateSource) : undefined,
    dynamicTemplates: action.dynamicTemplates,
    executedPipelines: (action.listsPipelines ?? request.listsPipelines) ? NO_PIPELINES : null,
  };
}

interface BulkReading {
  readonly body: Buffer;
  readonly lines: LineReader;
  readonly request: BulkRequest;
  readonly places: Int32Array;
}

/**
 * Makes the operation of a line that `scanPlainAction` has read; its source is the next line. Null at the end of the
 * body.
 */
function plainOperation({ body, lines, request, places }: BulkReading, action: number): WriteOperation | null {
  const op = PLAIN_ACTIONS[action]!;
  const named =
    places[PLACE.indexStart]! < 0 ? null : body.toString('latin1', places[PLACE.indexStart], places[PLACE.indexEnd]);
  const id = places[PLACE.idStart]! < 0 ? null : body.toString('latin1', places[PLACE.idStart], places[PLACE.idEnd]);
  if (op !== 'delete' && !lines.advance()) return null;
  return {
    op,
    index: named ?? request.index ?? '',
    id,
    routing: request.routing,
    requireAlias: request.requireAlias ?? false,
    pipeline: request.pipeline,
    version: null,
    versionType: 'internal',
    ifSeqNo: null,
    ifPrimaryTerm: null,
    retryOnConflict: 0,
    source:
      op === 'delete' ? NO_SOURCE : new Uint8Array(body.buffer, body.byteOffset + lines.start, lines.end - lines.start),
    updateSource: op === 'update' ? request.updateSource : undefined,
    dynamicTemplates: null,
    executedPipelines: request.listsPipelines ? NO_PIPELINES : null,
  };
}

/** Parses the next operation. Null for a blank line, undefined at the end of the body. */
function nextOperation(reading: BulkReading): WriteOperation | null | undefined {
  const { body, lines, request, places } = reading;
  if (!lines.advance()) return undefined;
  const plain = scanPlainAction(body, lines.start, lines.end, places);
  if (plain >= 0) return plainOperation(reading, plain) ?? undefined;
  const action = parseActionLine(lines.view(), lines.lineNumber, request.allowType);
  if (action === null) return null;
  const source = action.op === 'delete' ? NO_SOURCE : lines.next();
  return source === null ? undefined : operationOf(action, source, request);
}

/**
 * Limit for operations of a piece. A body is processed in pieces, as a parsed operation takes many times the memory of
 * its bytes in the body.
 */
export const PIECE_OPERATIONS_MAX = 10_000;
const PIECE_BYTES_MAX = 8 * 2 ** 20;

/** The error of a bulk tells this many validation errors at most. */
const MESSAGES_MAX = 1_000;

/** Parses a bulk body piece by piece. Sources are views of the body. */
export interface PieceReader {
  /**
   * Returns the next operations in order; none at the end. Adds validation errors to `messages`. Throws if the body is
   * malformed.
   */
  next(messages: string[]): WriteOperation[];
  /** Offset of the next piece in bytes. */
  readonly at: number;
  readonly isOver: boolean;
  /** Number of bytes after the last newline. */
  readonly rest: number;
}

/**
 * Parses a body from the offset `from`, where an operation begins; line numbers in errors count from there.
 * `valuesMax`: see `validateOperation`.
 */
export function readPieces(request: BulkRequest, valuesMax: number, from = 0): PieceReader {
  const lines = readLines(request.body, from);
  const { buffer, byteOffset, length } = request.body;
  const reading = { body: Buffer.from(buffer, byteOffset, length), lines, request, places: new Int32Array(PLACES) };
  let isOver = false;
  return {
    next(messages) {
      const operations: WriteOperation[] = [];
      const end = lines.at + PIECE_BYTES_MAX;
      while (operations.length < PIECE_OPERATIONS_MAX && lines.at < end) {
        const operation = nextOperation(reading);
        if (operation === undefined) {
          isOver = true;
          break;
        }
        if (operation === null) continue;
        validateOperation(operation, messages, valuesMax);
        if (messages.length > MESSAGES_MAX) messages.length = MESSAGES_MAX;
        operations.push(operation);
      }
      return operations;
    },
    get at() {
      return lines.at;
    },
    get isOver() {
      return isOver;
    },
    get rest() {
      return lines.rest;
    },
  };
}

/** Throws if the last line of a body that was read to its end is cut off. */
export function checkEnd({ rest }: PieceReader): void {
  if (rest > 0) throw errors.illegalArgument('The bulk request must be terminated by a newline [\\n]');
}

/** Throws the validation errors of a body that was read to its end; `count` is its number of operations. */
export function checkWhole(reader: PieceReader, count: number, messages: readonly string[]): void {
  checkEnd(reader);
  if (count === 0) throw validationError(['no requests added']);
  if (messages.length > 0) throw validationError(messages);
}
