import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('reverse turns terms around, by characters', () =>
  analyzes({ filter: ['reverse'] }, [
    ['abc de', 'cba@0 ed@1'],
    ['𝒳y', 'y𝒳@0'],
    ['level', 'level@0'],
  ]));
