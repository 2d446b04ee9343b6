import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('kv splits pairs', () =>
  processorTable('kv', [
    [
      { field: 'a', field_split: ' ', value_split: '=' },
      '{"a":"x=1 y=2 x=3"}',
      '{"a":"x=1 y=2 x=3","x":["1","3"],"y":"2"}',
    ],
    [
      { field: 'a', field_split: ' ', value_split: '=', prefix: 'p_', include_keys: ['x'], target_field: 't' },
      '{"a":"x=1 y=2"}',
      '{"a":"x=1 y=2","t":{"p_x":"1"}}',
    ],
    [
      { field: 'a', field_split: ' ', value_split: '=' },
      '{"a":"x"}',
      'illegal_argument_exception: field [a] does not contain value_split [=]',
    ],
    [
      { field: 'a', field_split: '&', value_split: '=', trim_key: ' ', trim_value: '"', strip_brackets: true },
      '{"a":" k =\\"v\\"&b=(c)"}',
      '{"a":" k =\\"v\\"&b=(c)","k":"v","b":"c"}',
    ],
    [
      { field: 'a', field_split: '&', value_split: '=', trim_value: ' ', strip_brackets: true },
      '{"a":"b= (c)&d=[e>&f=(&g=h\'"}',
      '{"a":"b= (c)&d=[e>&f=(&g=h\'","b":"(c","d":"e","f":"","g":"h"}',
    ],
    [
      { field: '{{f}}', field_split: ' ', value_split: '=', target_field: 'to_{{f}}' },
      '{"f":"a","a":"x=1"}',
      '{"f":"a","a":"x=1","to_a":{"x":"1"}}',
    ],
  ]));
