import { errors } from '@shoal/errors';
import { type ActionLine, parseActionLine } from './action-line.js';
import type { BulkRequest } from './bulk-request.js';
import { PLACE, PLACES, PLAIN_ACTIONS, scanPlainAction } from './plain-action.kernel.js';
import { type LineReader, readLines } from './split-lines.js';
import { validateOperation, validationError } from './validate-operation.js';
import type { WriteOperation } from './write-request.js';

const NO_SOURCE = new Uint8Array(0);

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
  };
}

interface Reading {
  readonly body: Buffer;
  readonly lines: LineReader;
  readonly request: BulkRequest;
  readonly places: Int32Array;
}

/** The operation of a plain line that the scan has placed; its source is the next line. Null at the end of the body. */
function plainOperation({ body, lines, request, places }: Reading, action: number): WriteOperation | null {
  const op = PLAIN_ACTIONS[action]!;
  const named = places[PLACE.indexStart]! < 0 ? null : body.toString('latin1', places[PLACE.indexStart], places[PLACE.indexEnd]);
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
    source: op === 'delete' ? NO_SOURCE : new Uint8Array(body.buffer, body.byteOffset + lines.start, lines.end - lines.start),
    updateSource: op === 'update' ? request.updateSource : undefined,
    dynamicTemplates: null,
  };
}

/** Null for a line without action, undefined at the end of the body. */
function nextOperation(reading: Reading): WriteOperation | null | undefined {
  const { body, lines, request, places } = reading;
  if (!lines.advance()) return undefined;
  const plain = scanPlainAction(body, lines.start, lines.end, places);
  if (plain >= 0) return plainOperation(reading, plain) ?? undefined;
  const action = parseActionLine(lines.view(), lines.lineNumber, request.allowType);
  if (action === null) return null;
  const source = action.op === 'delete' ? NO_SOURCE : lines.next();
  return source === null ? undefined : operationOf(action, source, request);
}

/** The operations of a bulk body in order; sources are views of it. Throws when the request as a whole is malformed. */
export function parseBulk(request: BulkRequest): WriteOperation[] {
  const lines = readLines(request.body);
  const { buffer, byteOffset, length } = request.body;
  const reading = { body: Buffer.from(buffer, byteOffset, length), lines, request, places: new Int32Array(PLACES) };
  const operations: WriteOperation[] = [];
  const messages: string[] = [];
  for (let operation = nextOperation(reading); operation !== undefined; operation = nextOperation(reading)) {
    if (operation === null) continue;
    validateOperation(operation, messages);
    operations.push(operation);
  }
  if (lines.rest > 0) throw errors.illegalArgument('The bulk request must be terminated by a newline [\\n]');
  if (operations.length === 0) throw validationError(['no requests added']);
  if (messages.length > 0) throw validationError(messages);
  return operations;
}
