import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('unique drops terms that were there before', () =>
  analyzes({ filter: ['unique'] }, [['a b a c b', 'a@0 b@1 c@2']]));

test('unique may look at one position only', () =>
  analyzes(
    {
      filter: [
        { type: 'multiplexer', filters: ['lowercase', 'uppercase'] },
        { type: 'unique', only_on_same_position: true },
      ],
    },
    [['a a', 'a@0 A@0 a@1 A@1']],
  ));
