import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

const options = { field: 'm', patterns: ['%{IP:client}', '%{EMAILADDRESS:EMAIL}'] };

test('redact covers what patterns match', () =>
  processorTable('redact', [
    [
      options,
      '{"m":"from 55.3.244.1 and 10.0.0.1: a@b.org wrote"}',
      '{"m":"from <client> and <client>: <EMAIL> wrote"}',
    ],
    [options, '{"m":"nothing here"}', '{"m":"nothing here"}'],
    [{ ...options, prefix: '*', suffix: '' }, '{"m":"1.2.3.4"}', '{"m":"*client"}'],
    [
      { field: 'm', patterns: ['%{HUB:HUB}', '%{LONG:PAIR}'], pattern_definitions: { HUB: 'b-c', LONG: 'a-b-c-d' } },
      '{"m":"x a-b-c-d y"}',
      '{"m":"x <PAIR> y"}',
    ],
    [
      { field: 'm', patterns: ['%{A:A}', '%{B:LONG}'], pattern_definitions: { A: 'ab', B: 'cde' } },
      '{"m":"x abcde y"}',
      '{"m":"x <LONG> y"}',
    ],
    [options, '{}', '{}'],
    [{ ...options, ignore_missing: false }, '{}', 'illegal_argument_exception: field [m] is null or missing'],
    [{ field: 'm', patterns: [] }, '{}', 'parse_exception: [patterns] List of patterns must not be empty'],
    [
      { field: 'm', patterns: ['%{IP}'] },
      '{}',
      'parse_exception: [patterns] each pattern must name the field that replaces what it matches',
    ],
  ]));
