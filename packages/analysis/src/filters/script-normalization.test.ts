import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('arabic_normalization drops vowel signs and folds letters', () =>
  analyzes({ filter: ['arabic_normalization'] }, [['آجن مُحَمَّد فاطمة', 'اجن@0 محمد@1 فاطمه@2']]));

test('persian_normalization folds letters of Persian', () =>
  analyzes({ filter: ['persian_normalization'] }, [['های كتاب يک', 'هاي@0 كتاب@1 يك@2']]));

test('german_normalization folds umlauts as they may be written', () =>
  analyzes({ filter: ['german_normalization'] }, [
    ['Straße Häuser Haeuser quelle', 'Strasse@0 Hauser@1 Hauser@2 quelle@3'],
  ]));

test('scandinavian_normalization brings spellings together', () =>
  analyzes({ filter: ['scandinavian_normalization'] }, [
    ['blåbærsyltetøj blaabaersyltetoej räksmörgås', 'blåbærsyltetøj@0 blåbærsyltetøj@1 ræksmørgås@2'],
  ]));

test('scandinavian_folding folds them to one letter', () =>
  analyzes({ filter: ['scandinavian_folding'] }, [
    ['blåbærsyltetøj räksmörgås blaabaer', 'blabarsyltetoj@0 raksmorgas@1 blabar@2'],
  ]));
