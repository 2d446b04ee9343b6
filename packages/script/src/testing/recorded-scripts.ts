import assert from 'node:assert/strict';
import { isApiError } from '@shoal/errors';
import { compile } from '../compile.js';
import { textOf } from '../runtime/java-text.js';

/** Scripts and the text of their results, as Painless on a Java virtual machine answered them. */
export type RecordedResults = readonly (readonly [source: string, result: string])[];

/** Scripts, and type and reason of the cause of their errors, as Painless on a Java virtual machine answered them. */
export type RecordedErrors = readonly (readonly [source: string, type: string, reason: string | null])[];

/** Runs a script that sees nothing but its parameters. */
export function runScript(source: string, params: object = {}): unknown {
  return compile({ lang: 'painless', source, id: null, params: {}, options: {} }, 'painless_test').call([params]);
}

/** Runs a script, and returns the text of its result, or type and reason of the cause of its error. */
export function answerOf(source: string, params?: object): string {
  try {
    return textOf(runScript(source, params));
  } catch (error) {
    if (!isApiError(error)) throw error;
    return `${error.causedBy?.type}: ${error.causedBy?.reason}`;
  }
}

/** Fails unless each script gives the text that was recorded. */
export function assertResults(rows: RecordedResults): void {
  for (const [source, expected] of rows) assert.equal(textOf(runScript(source)), expected, source);
}

/** Fails unless each script ends with the error that was recorded. */
export function assertErrors(rows: RecordedErrors): void {
  for (const [source, type, reason] of rows)
    assert.throws(
      () => runScript(source),
      (error) => {
        assert.ok(isApiError(error), source);
        assert.deepEqual([error.causedBy?.type, error.causedBy?.reason], [type, reason], source);
        return true;
      },
    );
}
