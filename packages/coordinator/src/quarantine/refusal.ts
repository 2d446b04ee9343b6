import type { ApiError } from '@shoal/errors';
import type { FailedAt } from '@shoal/ingest';
import type { WriteOp, WriteOperation } from '../bulk/write-request.js';

/** What refused a document. */
export type RefusalStage = 'pipeline' | 'mapping';

/** A document that a pipeline or a mapping refused. */
export interface Refusal {
  /** The write as the client sent it, before its pipelines. */
  readonly operation: WriteOperation;
  readonly error: ApiError;
  readonly stage: RefusalStage;
  /** The processor that failed; null if that is not known or none did. */
  readonly at: FailedAt | null;
  /** Index whose mapping refused the document; that of the operation unless a pipeline changed it. */
  readonly index: string;
}

/** Thrown by a single write whose document was refused; `error` is what is answered. */
export class RefusedDocument extends Error {
  readonly error: ApiError;
  readonly stage: RefusalStage;
  readonly at: FailedAt | null;
  readonly index: string;

  constructor(error: ApiError, stage: RefusalStage, at: FailedAt | null, index: string) {
    super(error.message);
    this.error = error;
    this.stage = stage;
    this.at = at;
    this.index = index;
  }
}

/** Statuses of errors that are not about the document: rights and blocks, missing things, conflicts, overload. */
const OTHERS = new Set([401, 403, 404, 408, 409, 429]);

const isDocuments = ({ status }: ApiError): boolean => status >= 400 && status < 500 && !OTHERS.has(status);

/**
 * Whether the error of a pipeline says that the document is not acceptable. Processors also say so with errors of
 * status 500: that of `fail` is one, as in 8.12.
 */
export function isPipelineRefusal(error: ApiError, at: FailedAt | null): boolean {
  return isDocuments(error) || (error.status === 500 && at !== null && at.processorType !== null);
}

/** Whether the error of a shard, or of looking for it, says that the mapping does not accept the document. */
export function isMappingRefusal(op: WriteOp, error: ApiError): boolean {
  if (op === 'delete' || !isDocuments(error)) return false;
  return op !== 'update' || !isOfScript(error);
}

/** An update's script that fails has made no document. */
function isOfScript(error: ApiError | undefined): boolean {
  for (let cause = error; cause !== undefined; cause = cause.causedBy)
    if (cause.type === 'script_exception') return true;
  return false;
}
