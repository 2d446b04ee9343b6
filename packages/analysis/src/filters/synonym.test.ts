import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('synonym puts other words beside a word, or in its place', () =>
  analyzes({ filter: [{ type: 'synonym', synonyms: ['fast, quick', 'couch => sofa'] }] }, [
    ['quick couch', 'quick@0 fast@0 sofa@1'],
    ['fast plain', 'fast@0 quick@0 plain@1'],
  ]));

test('synonym maps all to the first when it does not expand', () =>
  analyzes({ filter: [{ type: 'synonym', synonyms: ['fast, quick, rapid'], expand: false }] }, [
    ['rapid quick', 'fast@0 fast@1'],
  ]));

test('synonym reads the format of WordNet', () =>
  analyzes(
    {
      filter: [
        {
          type: 'synonym',
          format: 'wordnet',
          synonyms: ["s(100000001,1,'fast',v,1,0).", "s(100000001,2,'quick',v,1,0)."],
        },
      ],
    },
    [['quick', 'quick@0 fast@0']],
  ));

test('synonym_graph gives words of several positions their own path', () =>
  analyzes({ filter: [{ type: 'synonym_graph', synonyms: ['ny, new york'] }] }, [
    ['ny pizza', 'new@0 ny@0:2 york@1 pizza@2'],
    ['new york pizza', 'ny@0:2 new@0 york@1 pizza@2'],
  ]));

test('synonym refuses broken rules', () =>
  refuses([
    [
      { filter: [{ type: 'synonym', synonyms: ['a => b => c'] }] },
      'illegal_argument_exception: failed to build synonyms',
    ],
    [
      { filter: [{ type: 'synonym' }] },
      'illegal_argument_exception: synonym requires either `synonyms`, `synonyms_set` or ' +
        '`synonyms_path` to be configured',
    ],
  ]));
