import { errors } from '@shoal/errors';
import { type ActionLine, parseActionLine } from './action-line.js';
import type { BulkRequest } from './bulk-request.js';
import { readLines } from './split-lines.js';
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

/** The operations of a bulk body in order; sources are views of it. Throws when the request as a whole is malformed. */
export function parseBulk(request: BulkRequest): WriteOperation[] {
  const lines = readLines(request.body);
  const operations: WriteOperation[] = [];
  const messages: string[] = [];
  for (let line = lines.next(); line !== null; line = lines.next()) {
    const action = parseActionLine(line, lines.lineNumber, request.allowType);
    if (action === null) continue;
    const source = action.op === 'delete' ? NO_SOURCE : lines.next();
    if (source === null) break;
    const operation = operationOf(action, source, request);
    validateOperation(operation, messages);
    operations.push(operation);
  }
  if (lines.rest > 0) throw errors.illegalArgument('The bulk request must be terminated by a newline [\\n]');
  if (operations.length === 0) throw validationError(['no requests added']);
  if (messages.length > 0) throw validationError(messages);
  return operations;
}
