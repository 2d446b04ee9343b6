import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isApiError } from '@shoal/errors';
import { compile } from '../../compile.js';
import { textOf } from '../../runtime/java-text.js';

/** Scripts and the text of their results, as Painless on a Java virtual machine answered them. */
const RESULTS: readonly (readonly [string, string])[] = [["/a/.matcher('b').replaceAll('$2')", 'b']];

/** Scripts, and type and reason of their errors. */
const ERRORS: readonly (readonly [string, string, string | null])[] = [
  ["/a/.matcher('a').replaceAll('$2')", 'index_out_of_bounds_exception', 'No group 2'],
  ["/a/.matcher('a').replaceFirst('${x}')", 'illegal_argument_exception', 'No group with name {x}'],
  ["/a/.matcher('a').replaceAll('$')", 'illegal_argument_exception', 'Illegal group reference: group index is missing'],
  ["/a/.matcher('a').replaceAll('\\\\')", 'illegal_argument_exception', 'character to be escaped is missing'],
];

const run = (source: string): unknown =>
  compile({ lang: 'painless', source, id: null, params: {}, options: {} }, 'painless_test').call([{}]);

test('replacements with groups do what they do in Java', () => {
  for (const [source, expected] of RESULTS) assert.equal(textOf(run(source)), expected, source);
});

test('their errors are those of Java', () => {
  for (const [source, type, reason] of ERRORS)
    assert.throws(
      () => run(source),
      (error) => {
        assert.ok(isApiError(error));
        assert.deepEqual([error.causedBy?.type, error.causedBy?.reason], [type, reason], source);
        return true;
      },
    );
});
