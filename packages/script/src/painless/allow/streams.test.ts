import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecordedResults, assertResults, runScript } from '../../testing/recorded-scripts.js';

/** Texts are those that OpenSearch 2.19 gives. */
const RESULTS: RecordedResults = [
  ['[3,1,2].stream().map(x->x+1).collect(Collectors.toList())', '[4, 2, 3]'],
  ['[1,2].stream().mapToInt(Integer::intValue).sum()', '3'],
  ["['a','bb','cc'].stream().collect(Collectors.groupingBy(String::length))", '{1=[a], 2=[bb, cc]}'],
  ['[1,2,3,4].stream().filter(x -> x % 2 == 0).mapToDouble(x -> x).average().getAsDouble()', '3.0'],
  ['[5,3].stream().max(Comparator.naturalOrder()).get()', '5'],
  ["['a','b'].stream().collect(Collectors.joining('-','<','>'))", '<a-b>'],
  ['IntStream.range(0,5).boxed().collect(Collectors.toList())', '[0, 1, 2, 3, 4]'],
  [
    "['x':1,'y':2].entrySet().stream().filter(e -> e.getValue() > 1).map(e -> e.getKey()).collect(Collectors.toList())",
    '[y]',
  ],
  ["['a','b'].stream().collect(Collectors.toMap(x -> x, x -> x + '1'))", '{a=a1, b=b1}'],
  ['Optional.of(1).map(x -> x + 1).get()', '2'],
  ["'abc'.chars().sum()", '294'],
  ['[[1,2],[3]].stream().flatMap(l -> l.stream()).collect(Collectors.toList())', '[1, 2, 3]'],
  ['[1,2,3].stream().collect(Collectors.partitioningBy(x -> x > 1))', '{false=[1], true=[2, 3]}'],
  ['[1,2].stream().collect(Collectors.averagingInt(x->x))', '1.5'],
  ["['b','a'].stream().sorted(Comparator.reverseOrder()).collect(Collectors.toList())", '[b, a]'],
];

test('streams are collected as in Java', () => {
  assertResults(RESULTS);
});

test('a stream without an end is ended', () => {
  assert.throws(() => runScript('IntStream.range(0, Integer.MAX_VALUE).sum()'), { reason: 'runtime error' });
});
