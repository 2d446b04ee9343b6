import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFuzziness } from './fuzziness.js';

test('AUTO goes by the length in characters', () => {
  const auto = parseFuzziness('auto');
  assert.deepEqual(['ab', 'abc', 'abcde', 'abcdef', '😀😀'].map(auto), [0, 1, 1, 2, 0]);
  assert.deepEqual(['a', 'abc'].map(parseFuzziness('AUTO:1,2')), [1, 2]);
});

test('other values than 0, 1, 2 and AUTO are refused', () => {
  assert.equal(parseFuzziness('2')('x'), 2);
  assert.throws(() => parseFuzziness('9'), /Valid edit distances are \[0, 1, 2\] but was \[9\]/);
  assert.throws(() => parseFuzziness('zz'), /fuzziness cannot be \[zz\]\./);
  assert.throws(() => parseFuzziness('0.5'), /fuzziness needs to be one of 0\.0, 1\.0 or 2\.0 but was 0\.5/);
  assert.throws(() => parseFuzziness('AUTO:1'), /failed to find low and high distance values/);
});
