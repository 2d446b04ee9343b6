import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('keyword takes the whole text for a token', () =>
  cuts({ tokenizer: 'keyword' }, [
    ['New York, NY', 'New York, NY[0-12]'],
    [' a ', ' a [0-3]'],
    ['', '[0-0]'],
  ]));
