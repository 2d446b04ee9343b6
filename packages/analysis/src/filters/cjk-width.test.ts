import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('cjk_width folds full-width Latin letters and half-width Katakana', () =>
  analyzes({ filter: ['cjk_width'] }, [
    ['ＡＢＣ１２', 'ABC12@0'],
    ['ｼｰｻｲﾄﾞ', 'シーサイド@0'],
    ['ﾊﾟ plain', 'パ@0 plain@1'],
  ]));
