import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('word_delimiter cuts at changes of case, letters and digits', () =>
  analyzes({ tokenizer: 'keyword', filter: ['word_delimiter'] }, [
    ['PowerShot2000', 'Power@0 Shot@1 2000@2'],
    ["wi-fi bar's", 'wi@0 fi@1 bar@2'],
    ['Super--Duper42', 'Super@0 Duper@1 42@2'],
  ]));

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

test('word_delimiter leaves protected words and takes a table of types', () =>
  analyzes(
    {
      tokenizer: 'whitespace',
      filter: [{ type: 'word_delimiter', protected_words: ['wi-fi'], type_table: ['# => ALPHA'] }],
    },
    [['wi-fi c# a-b', 'wi-fi@0 c#@1 a@2 b@3']],
  ));

test('word_delimiter may join words only and not cut at case', () =>
  analyzes(
    {
      tokenizer: 'keyword',
      filter: [
        { type: 'word_delimiter', split_on_case_change: false, catenate_words: true, stem_english_possessive: false },
      ],
    },
    [['PowerShot', 'PowerShot@0']],
  ));
