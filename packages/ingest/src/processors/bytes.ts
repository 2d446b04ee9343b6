import { errors, isApiError } from '@shoal/errors';
import { parseByteSize } from '@shoal/values';
import { stringProcessor } from '../string-processor.js';

/** Turns sizes such as `1kb` into numbers of bytes. */
export const bytes = stringProcessor('bytes', () => (text) => {
  try {
    return parseByteSize(text, 'Ingest Field');
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw errors.parse(error.reason);
  }
});
