import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('uppercase writes terms in upper case', () =>
  analyzes({ filter: ['uppercase'] }, [
    ['quick Ünïcödé straße', 'QUICK@0 ÜNÏCÖDÉ@1 STRAßE@2'],
    ['ﬁ 日本', 'ﬁ@0 日@1 本@2'],
  ]));
