import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('apostrophe cuts a term at its first apostrophe', () =>
  analyzes({ filter: ['apostrophe'] }, [
    ["Türkiye'de İstanbul'un O’Neill", 'Türkiye@0 İstanbul@1 O@2'],
    ["'x y''z plain", 'x@0 y@1 z@2 plain@3'],
  ]));
