import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('flatten_graph lays the positions of a graph side by side', () =>
  analyzes({ filter: [{ type: 'synonym_graph', synonyms: ['usa, united states'] }, 'flatten_graph'] }, [
    ['plain words', 'plain@0 words@1'],
    ['united nations', 'united@0 nations@1'],
  ]));

test('paths of a graph are merged: a joined token spans the positions of its parts', () =>
  analyzes(
    {
      tokenizer: 'whitespace',
      filter: [{ type: 'word_delimiter_graph', catenate_all: true, preserve_original: true }, 'flatten_graph'],
    },
    [['-a-b c', '-a-b@0:2 ab@0:2 a@0 b@1 c@2']],
  ));
