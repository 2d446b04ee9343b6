import { test } from 'node:test';
import { analyzes, refuses } from '../testing/analysis-table.js';

test('keyword_marker keeps words from being stemmed', () =>
  analyzes({ filter: [{ type: 'keyword_marker', keywords: ['running'] }, 'porter_stem'] }, [
    ['running jumping Running', 'running@0 jump@1 Run@2'],
  ]));

test('keyword_marker knows words by pattern or whatever their case', () =>
  analyzes({ filter: [{ type: 'keyword_marker', keywords_pattern: 'r.*ing' }, 'porter_stem'] }, [
    ['running jumping', 'running@0 jump@1'],
  ]));

test('keyword_marker may ignore case', () =>
  analyzes({ filter: [{ type: 'keyword_marker', keywords: ['RUNNING'], ignore_case: true }, 'porter_stem'] }, [
    ['Running jumping', 'Running@0 jump@1'],
  ]));

test('keyword_marker needs words or a pattern, not both', () =>
  refuses([
    [
      { filter: [{ type: 'keyword_marker' }] },
      'illegal_argument_exception: keyword filter requires either `keywords`, ' +
        '`keywords_path`, or `keywords_pattern` to be configured',
    ],
    [
      { filter: [{ type: 'keyword_marker', keywords: ['a'], keywords_pattern: 'b' }] },
      'illegal_argument_exception: cannot specify both `keywords_pattern` and `keywords` or ' + '`keywords_path`',
    ],
  ]));
