import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('asciifolding writes letters outside ASCII as their nearest in it', () =>
  analyzes({ filter: ['asciifolding'] }, [
    ['Ünïcödé Æsop Łódź straße', 'Unicode@0 AEsop@1 Lodz@2 strasse@3'],
    ['ﬁn ①② plain 日本', 'fin@0 plain@1 日@2 本@3'],
  ]));

test('asciifolding keeps the term beside its folded form when asked', () =>
  analyzes({ filter: [{ type: 'asciifolding', preserve_original: true }] }, [['café cafe', 'cafe@0 café@0 cafe@1']]));
