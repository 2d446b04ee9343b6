import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

const IAE = 'illegal_argument_exception:';
const processor = { set: { field: '_ingest._value.x', value: '{{_ingest._value.y}}' } };

test('foreach runs a processor on each item of a list and each member of an object', () =>
  processorTable('foreach', [
    [{ field: 'a', processor }, '{"a":[{"y":1},{"y":"p"}]}', '{"a":[{"y":1,"x":"1"},{"y":"p","x":"p"}]}'],
    [
      { field: 'a', processor: { set: { field: '_ingest._key', value: '{{_ingest._key}}2' } } },
      '{"a":{"k":1,"l":2}}',
      '{"a":{"k2":1,"l2":2}}',
    ],
    [{ field: 'a', processor: { remove: { field: '_ingest._value' } } }, '{"a":[]}', '{"a":[]}'],
    [{ field: 'a', processor: { drop: {} } }, '{"a":[1]}', 'dropped'],
    [{ field: 'a', processor, ignore_missing: true }, '{}', '{}'],
  ]));

test('foreach stops at the first item that fails, and gives the outer value back', () =>
  processorTable('foreach', [
    [
      { field: 'a', processor: { fail: { message: 'no {{_ingest._value}}' } } },
      '{"a":[1]}',
      'fail_processor_exception: no 1',
    ],
    [
      {
        field: 'a',
        processor: { fail: { message: 'x' } },
        on_failure: [{ set: { field: 'v', value: '<{{_ingest._value}}>' } }],
      },
      '{"a":[1]}',
      '{"a":[1],"v":"<>"}',
    ],
  ]));

test('foreach refuses what it cannot loop over', () =>
  processorTable('foreach', [
    [
      { field: 'a', processor },
      '{"a":7}',
      `${IAE} field [a] of type [java.lang.Integer] cannot be cast to a list or map`,
    ],
    [{ field: 'a', processor }, '{"a":null}', `${IAE} field [a] is null, cannot loop over its elements.`],
    [{ field: 'a', processor: {} }, '{}', 'parse_exception: [processor] Must specify exactly one processor type'],
    [{ field: 'a', processor: { zz: {} } }, '{}', 'parse_exception: No processor type exists with name [zz]'],
  ]));

test('loops within loops end', async () => {
  const nest = (levels: number): Record<string, unknown> =>
    levels === 0 ? { set: { field: 'x', value: 1 } } : { foreach: { field: 'a', processor: nest(levels - 1) } };
  await processorTable('foreach', [
    [
      nest(6)['foreach'] as Record<string, unknown>,
      JSON.stringify({ a: Array.from({ length: 20 }, () => 0) }),
      `${IAE} loops over one document ran more than the limit of [1000000] times`,
    ],
  ]);
});
