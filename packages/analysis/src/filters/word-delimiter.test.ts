import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('word_delimiter cuts at changes of case, letters and digits', () =>
  analyzes({ tokenizer: 'keyword', filter: ['word_delimiter'] }, [
    ['PowerShot2000', 'Power@0 Shot@1 2000@2'],
    ["wi-fi bar's", 'wi@0 fi@1 bar@2'],
    ['Super--Duper42', 'Super@0 Duper@1 42@2'],
  ]));

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

test('joined words and numbers stand where their first part does, in the order of their starts', () =>
  analyzes(
    {
      tokenizer: 'whitespace',
      filter: [
        {
          type: 'word_delimiter',
          catenate_all: true,
          preserve_original: true,
          catenate_words: true,
          catenate_numbers: true,
        },
      ],
    },
    [
      ['500wi #tag-a', '500wi@0 500@0 500wi@0 wi@1 #tag-a@2 tag@2 taga@2 a@3'],
      ['a-b-1-2', 'a-b-1-2@0 a@0 ab@0 ab12@0 b@1 1@2 12@2 2@3'],
    ],
  ));

test('letters without case, marks and halves of characters are parts of words', () =>
  analyzes({ tokenizer: 'whitespace', filter: ['word_delimiter'] }, [
    ['NeilカタカナIa mail\u0301-x 😀', 'NeilカタカナIa@0 mail\u0301@1 x@2 😀@3'],
  ]));
