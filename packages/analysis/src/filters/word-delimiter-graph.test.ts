import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('word_delimiter_graph gives joined parts the span of their parts', () =>
  analyzes({ tokenizer: 'keyword', filter: [{ type: 'word_delimiter_graph', catenate_all: true }] }, [
    ['wi-fi', 'wifi@0:2 wi@0 fi@1'],
    ['Power-Shot-2', 'PowerShot2@0:3 Power@0 Shot@1 2@2'],
  ]));

test('word_delimiter_graph keeps the term and leaves numbers out when told', () =>
  analyzes(
    {
      tokenizer: 'keyword',
      filter: [{ type: 'word_delimiter_graph', preserve_original: true, generate_number_parts: false }],
    },
    [
      ['a-1', 'a-1@0 a@0'],
      ['b-c', 'b-c@0:2 b@0 c@1'],
    ],
  ));

test('the term itself and what is equal to it after joining are both there', () =>
  analyzes(
    {
      tokenizer: 'whitespace',
      filter: [{ type: 'word_delimiter_graph', preserve_original: true, catenate_all: true }],
    },
    [['FooWi x', 'FooWi@0:2 FooWi@0:2 Foo@0 Wi@1 x@2']],
  ));

test('words of delimiters only leave a gap, what follows a word comes behind its last part', () =>
  analyzes({ tokenizer: 'whitespace', filter: ['word_delimiter_graph'] }, [['a-b -- c', 'a@0 b@1 c@3']]));
