import { test } from 'node:test';
import {
  type RecordedErrors,
  type RecordedResults,
  assertErrors,
  assertResults,
} from '../../testing/recorded-scripts.js';

const RESULTS: RecordedResults = [["/a/.matcher('b').replaceAll('$2')", 'b']];

const ERRORS: RecordedErrors = [
  ["/a/.matcher('a').replaceAll('$2')", 'index_out_of_bounds_exception', 'No group 2'],
  ["/a/.matcher('a').replaceFirst('${x}')", 'illegal_argument_exception', 'No group with name {x}'],
  ["/a/.matcher('a').replaceAll('$')", 'illegal_argument_exception', 'Illegal group reference: group index is missing'],
  ["/a/.matcher('a').replaceAll('\\\\')", 'illegal_argument_exception', 'character to be escaped is missing'],
];

test('replacements with groups do what they do in Java', () => {
  assertResults(RESULTS);
});

test('their errors are those of Java', () => {
  assertErrors(ERRORS);
});
