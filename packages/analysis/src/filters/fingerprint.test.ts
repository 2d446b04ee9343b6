import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('fingerprint makes one term of all, sorted and without repeats', () =>
  analyzes({ filter: ['fingerprint'] }, [
    ['zebra apple zebra mango', 'apple mango zebra@0'],
    ['', ''],
  ]));

test('fingerprint takes another separator and gives nothing when it grows too large', () =>
  analyzes({ filter: [{ type: 'fingerprint', separator: '+', max_output_size: 5 }] }, [
    ['b a b', 'a+b@0'],
    ['abc def', ''],
  ]));
