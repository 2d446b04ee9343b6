import { test } from 'node:test';
import { cuts, refuses } from '../testing/analysis-table.js';

test('path_hierarchy takes a path and those above it', () =>
  cuts({ tokenizer: 'path_hierarchy' }, [
    ['/a/b/c', '/a[0-2] /a/b[0-4] /a/b/c[0-6]'],
    ['a/b', 'a[0-1] a/b[0-3]'],
    ['/', '/[0-1]'],
  ]));

test('path_hierarchy replaces delimiters and skips parts', () =>
  cuts({ tokenizer: { type: 'path_hierarchy', delimiter: '-', replacement: '/', skip: 1 } }, [
    ['a-b-c', '/b[1-3] /b/c[1-5]'],
  ]));

test('path_hierarchy goes from the end when reversed', () =>
  cuts({ tokenizer: { type: 'path_hierarchy', delimiter: '.', reverse: true } }, [
    ['www.example.com', 'www.example.com[0-15] example.com[4-15] com[12-15]'],
  ]));

test('path_hierarchy refuses delimiters of several characters', () =>
  refuses([
    [
      { tokenizer: { type: 'path_hierarchy', delimiter: '//' } },
      'illegal_argument_exception: delimiter must be a one char value',
    ],
    [
      { tokenizer: { type: 'path_hierarchy', replacement: '//' } },
      'illegal_argument_exception: replacement must be a one char value',
    ],
  ]));
