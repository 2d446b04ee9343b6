import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('length keeps terms of a length in characters', () =>
  analyzes({ filter: [{ type: 'length', min: 2, max: 4 }] }, [
    ['a bb cccc ddddd', 'bb@1 cccc@2'],
    ['日本', ''],
  ]));

test('length keeps all by default', () => analyzes({ filter: ['length'] }, [['a bb', 'a@0 bb@1']]));
