import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('decimal_digit writes digits of all scripts as ASCII digits', () =>
  analyzes({ filter: ['decimal_digit'] }, [
    ['١٢٣ १२ 42', '123@0 12@1 42@2'],
    ['𝟙𝟚', '12@0'],
  ]));
