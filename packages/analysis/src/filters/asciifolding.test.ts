import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('asciifolding writes letters outside ASCII as their nearest in it', () =>
  analyzes({ filter: ['asciifolding'] }, [
    ['Ünïcödé Æsop Łódź straße', 'Unicode@0 AEsop@1 Lodz@2 strasse@3'],
    ['ﬁn ①② plain 日本', 'fin@0 plain@1 日@2 本@3'],
  ]));

test('asciifolding knows letters of phonetic alphabets, and leaves ordinals and marks', () =>
  analyzes({ tokenizer: 'whitespace', filter: ['asciifolding'] }, [
    ['ᴁɐȸ Ƞ ʞ ⒜ ﹢', 'AEadb@0 N@1 k@2 (a)@3 ﹢@4'],
    ['1ª ́ e\u0301 \u212a', '1ª@0 ́@1 e\u0301@2 \u212a@3'],
  ]));

test('asciifolding keeps the term beside its folded form when asked', () =>
  analyzes({ filter: [{ type: 'asciifolding', preserve_original: true }] }, [['café cafe', 'cafe@0 café@0 cafe@1']]));
