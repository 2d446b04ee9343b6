import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

const IAE = 'illegal_argument_exception:';

test('remove takes fields, members of objects and items of lists away', () =>
  processorTable('remove', [
    [{ field: 'a' }, '{"a":1,"b":2}', '{"b":2}'],
    [{ field: ['a.b', 'c.0'] }, '{"a":{"b":1},"c":[1,2]}', '{"a":{},"c":[2]}'],
    [{ field: ['x', '{{f}}'], ignore_missing: true }, '{"f":"a","a":1}', '{"f":"a"}'],
  ]));

test('remove keeps only some fields, with those around and inside them', () =>
  processorTable('remove', [
    [{ keep: ['a', 'b.c'] }, '{"a":{"x":1},"b":{"c":{"y":1},"d":2},"e":3}', '{"a":{"x":1},"b":{"c":{"y":1}}}'],
    [{ keep: 'no' }, '{"a":1}', '{}'],
  ]));

test('remove fails for fields that are not there', () =>
  processorTable('remove', [
    [{ field: 'a' }, '{}', `${IAE} field [a] not present as part of path [a]`],
    [{ field: 'a.b' }, '{"a":null}', `${IAE} cannot remove [b] from null as part of path [a.b]`],
    [
      { field: 'a.b' },
      '{"a":true}',
      `${IAE} cannot remove [b] from object of type [java.lang.Boolean] as part of path [a.b]`,
    ],
    [{ field: '_version' }, '{}', `${IAE} _version cannot be removed`],
  ]));

test('remove needs either fields or what to keep', () =>
  processorTable('remove', [
    [{}, '{}', 'parse_exception: [keep] or [field] must be specified'],
    [{ field: 'a', keep: 'b' }, '{}', 'parse_exception: [keep] and [field] cannot both be used in the same processor'],
    [{ field: 7 }, '{}', "parse_exception: [field] property isn't a string, but of type [java.lang.Integer]"],
  ]));
