import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('lowercase writes terms in lower case', () =>
  analyzes({ filter: ['lowercase'] }, [
    ['QUICK Ünïcödé ΣΑΣ', 'quick@0 ünïcödé@1 σασ@2'],
    ['İstanbul 日本', 'istanbul@0 日@1 本@2'],
  ]));

test('lowercase knows Greek, Irish and Turkish', () =>
  analyzes({ filter: [{ type: 'lowercase', language: 'turkish' }] }, [['DIŞ İstanbul', 'dış@0 istanbul@1']]));

test('lowercase of Greek drops accents', () =>
  analyzes({ filter: [{ type: 'lowercase', language: 'greek' }] }, [['Μάϊος ΣΑΣ', 'μαιοσ@0 σασ@1']]));

test('lowercase of Irish keeps mutations apart', () =>
  analyzes({ filter: [{ type: 'lowercase', language: 'irish' }] }, [
    ['nAthair tUisce Bean', 'n-athair@0 t-uisce@1 bean@2'],
  ]));

test('lowercase refuses other languages', () =>
  refuses([
    [
      { filter: [{ type: 'lowercase', language: 'klingon' }] },
      'illegal_argument_exception: language [klingon] not support for lower case',
    ],
  ]));
