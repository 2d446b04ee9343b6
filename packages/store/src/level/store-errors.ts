import { errors, isApiError } from '@shoal/errors';

/** Whether an error is a corrupt_index_exception. */
export const isCorruption = (error: unknown): boolean => isApiError(error) && error.type === 'corrupt_index_exception';

/** Converts an error of LevelDB: damage that it reports to corrupt_index_exception, other errors to i_o_exception. */
export function asStoreError(error: unknown): unknown {
  if (isApiError(error)) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return /corrupt|missing files|checksum|not an sstable|bad (block|entry|record)/i.test(message)
    ? errors.corruption(message)
    : errors.ioError(message);
}
