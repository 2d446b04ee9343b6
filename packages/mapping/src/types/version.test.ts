import { test } from 'node:test';
import { fieldTable } from '../testing/field-table.js';

const version = fieldTable({ type: 'version' });

test('version indexes texts that sort by number', () =>
  version.indexes([
    ['1.10.2', { f: ['!1."10.!2\u0002\u00001.10.2'] }],
    ['1.0.0-beta', { f: ['!1.!0.!0\u00011beta\u00001.0.0-beta'] }],
    ['none', { f: ['none\u0000none'] }],
  ]));

test('version refuses objects', () =>
  version.refuses([[{ a: 1 }, "illegal_state_exception: Can't get text on a START_OBJECT at 1:6"]]));
