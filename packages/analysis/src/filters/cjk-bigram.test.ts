import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('cjk_bigram joins neighbouring characters of Chinese, Japanese and Korean', () =>
  analyzes({ filter: ['cjk_bigram'] }, [
    ['日本語 abc', '日本@0 本語@1 abc@2'],
    ['東 京', '東@0 京@1'],
    ['한국어', '한국@0 국어@1'],
    ['ab日本', 'ab@0 日本@1'],
  ]));

test('cjk_bigram gives single characters too when asked', () =>
  analyzes({ filter: [{ type: 'cjk_bigram', output_unigrams: true }] }, [
    ['日本語', '日@0 日本@0:2 本@1 本語@1:2 語@2'],
  ]));

test('cjk_bigram leaves scripts alone that it is told to ignore', () =>
  analyzes({ filter: [{ type: 'cjk_bigram', ignored_scripts: ['han'] }] }, [['日本 ひら', '日@0 本@1 ひら@2']]));
