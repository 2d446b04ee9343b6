import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('limit keeps the first tokens, one by default', () => analyzes({ filter: ['limit'] }, [['a b c', 'a@0']]));

test('limit keeps as many as it is told', () =>
  analyzes({ filter: [{ type: 'limit', max_token_count: 2 }] }, [
    ['a b c', 'a@0 b@1'],
    ['a', 'a@0'],
  ]));
