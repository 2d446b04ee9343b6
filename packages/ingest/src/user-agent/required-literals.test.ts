import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requiredLiterals } from './required-literals.js';

test('texts of which every match contains one are found', () => {
  const rows: readonly (readonly [source: string, ...literals: string[]])[] = [
    ['(GeoEvent Server) (\\d+)', 'geoevent server'],
    ['ArcGIS Client Using WinInet', 'arcgis client using wininet'],
    ['(Foo)Bar/(\\d+)\\.(\\d+)', 'bar/'],
    ['a|bcd', 'a', 'bcd'],
    ['a|\\d'],
    ['(Chromium|Chrome)/(\\d+)', 'chromium', 'chrome'],
    ['(abc|)/(\\d)', '/'],
    ['(?!abc)x', 'x'],
    ['(abc)?x', 'x'],
    ['abc?d', 'ab'],
    ['abc+de', 'abc'],
    ['ab{0,3}cd', 'cd'],
    ['x[abc\\]]yz', 'yz'],
    ['com\\.esri\\d', 'com.esri'],
    ['(?:a(b)c\\)|[)])tail', 'tail'],
    ['^.{0,200}$'],
  ];
  for (const [source, ...literals] of rows) assert.deepEqual(requiredLiterals(source), literals, source);
});
