import { errors } from '@shoal/errors';
import { hashOrder } from '@shoal/values';
import type { IngestDocument } from './document.js';
import { copyValue, javaText } from './java-values.js';
import { measuredCopy } from './measured-copy.js';
import { andThen, type Pause } from './steps-in-turns.js';

/** Bytes that the documents of an answer may have altogether, as JSON: in memory they take many times as much. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes that a result counts beside its document. */
const RESULT_BYTES = 256;

/** Counts the bytes of the documents that a simulation shows: with `verbose` one for each processor. */
export class AnswerBytes {
  #bytes = 0;

  take(bytes: number): void {
    this.#bytes += bytes + RESULT_BYTES;
    this.check();
  }

  /** Throws once there are too many: processors may have taken that for a failure of their own. */
  check(): void {
    if (this.#bytes > ANSWER_BYTES_MAX)
      throw errors.illegalArgument(`the documents of the simulation have more than [${ANSWER_BYTES_MAX}] bytes`);
  }
}

/**
 * Renders a document as `_simulate` shows it: metadata as texts, source, and the metadata of the run. A large document
 * is copied in turns.
 */
export function documentJson(
  { source, metadata, ingest }: IngestDocument,
  answer: AnswerBytes,
  pause: Pause,
): Record<string, unknown> | Promise<Record<string, unknown>> {
  const shown: Record<string, unknown> = {};
  for (const key of hashOrder(Object.keys(metadata))) {
    const value = metadata[key];
    if (value !== null) shown[key] = javaText(value);
  }
  const ingestCopy = copyValue(ingest);
  return andThen(measuredCopy(source, pause), ({ value, length }) => {
    answer.take(length);
    return { ...shown, _source: value, _ingest: ingestCopy };
  });
}
