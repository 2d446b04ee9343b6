import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('stemmer and porter_stem stem English', () =>
  analyzes({ filter: ['stemmer'] }, [
    ['jumping foxes flies happily relational', 'jump@0 fox@1 fli@2 happili@3 relat@4'],
  ]));

test('porter_stem stems by the algorithm of 1980', () =>
  analyzes({ filter: ['porter_stem'] }, [
    ['jumping foxes flies happily relational', 'jump@0 fox@1 fli@2 happili@3 relat@4'],
  ]));

test('stemmer knows other languages and lighter stemmers', () =>
  analyzes({ filter: [{ type: 'stemmer', language: 'light_german' }] }, [
    ['Häuser laufen Autos', 'Haus@0 lauf@1 Autos@2'],
  ]));

test('stemmer of minimal_english drops plurals only', () =>
  analyzes({ filter: [{ type: 'stemmer', language: 'minimal_english' }] }, [
    ['jumping foxes flies dogs', 'jumping@0 foxe@1 fly@2 dog@3'],
  ]));

test('stemmer of possessive_english drops the s of possession', () =>
  analyzes({ filter: [{ type: 'stemmer', language: 'possessive_english' }] }, [["dog's dogs", 'dog@0 dogs@1']]));

test('snowball stems by the algorithm of a language', () =>
  analyzes({ filter: [{ type: 'snowball', language: 'French' }] }, [
    ['continuellement chevaux', 'continuel@0 cheval@1'],
  ]));

test('stemmers refuse languages that they do not know', () =>
  refuses([
    [
      { filter: [{ type: 'stemmer', language: 'Klingon' }] },
      'illegal_argument_exception: Invalid stemmer class specified: Klingon',
    ],
    [
      { filter: [{ type: 'snowball', language: 'Klingon' }] },
      'illegal_argument_exception: Invalid stemmer class specified: Klingon',
    ],
  ]));
