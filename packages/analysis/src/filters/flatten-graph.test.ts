import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('flatten_graph lays the positions of a graph side by side', () =>
  analyzes({ filter: [{ type: 'synonym_graph', synonyms: ['usa, united states'] }, 'flatten_graph'] }, [
    ['plain words', 'plain@0 words@1'],
    ['united nations', 'united@0 nations@1'],
  ]));
