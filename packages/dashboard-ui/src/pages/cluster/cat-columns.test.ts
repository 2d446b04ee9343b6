import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catColumns } from './cat-columns.js';

test('columns have the order of their heads, and numbers are told from texts', () => {
  const rows = [
    { cpu: '100', name: 'node-10', disk: null, load: '0.53' },
    { cpu: '9', name: 'node-9', disk: '12', load: '-' },
  ];
  assert.deepEqual(catColumns(rows, { name: 'Name', cpu: 'CPU %', disk: 'Disk %', load: 'Load', gone: 'Gone' }), [
    { key: 'name', head: 'Name', isNumber: false },
    { key: 'cpu', head: 'CPU %', isNumber: true },
    { key: 'disk', head: 'Disk %', isNumber: true },
    { key: 'load', head: 'Load', isNumber: false },
  ]);
  assert.deepEqual(catColumns([], { name: 'Name' }), []);
});
