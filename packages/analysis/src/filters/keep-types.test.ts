import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('keep_types keeps tokens of the types, or drops them', () =>
  analyzes({ filter: [{ type: 'keep_types', types: ['<NUM>'] }] }, [['a 1 b 22', '1@1 22@3']]));

test('keep_types drops tokens of the types in exclude mode', () =>
  analyzes({ filter: [{ type: 'keep_types', types: ['<NUM>'], mode: 'exclude' }] }, [['a 1 b 22', 'a@0 b@2']]));

test('keep_types needs types', () =>
  refuses([
    [{ filter: [{ type: 'keep_types' }] }, 'illegal_argument_exception: keep_types requires `types` to be configured'],
  ]));
