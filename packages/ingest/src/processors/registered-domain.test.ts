import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('registered_domain splits names of hosts', () =>
  processorTable('registered_domain', [
    [
      { field: 'a', target_field: 'url' },
      '{"a":"www.example.ac.uk"}',
      '{"a":"www.example.ac.uk","url":{"domain":"www.example.ac.uk","registered_domain":"example.ac.uk",' +
        '"top_level_domain":"ac.uk","subdomain":"www"}}',
    ],
    [
      { field: 'a' },
      '{"a":"a.b.elastic.github.io"}',
      '{"a":"a.b.elastic.github.io","domain":"a.b.elastic.github.io","registered_domain":"elastic.github.io",' +
        '"top_level_domain":"github.io","subdomain":"a.b"}',
    ],
    [
      { field: 'a', target_field: 'u' },
      '{"a":"google.com"}',
      '{"a":"google.com","u":{"domain":"google.com","registered_domain":"google.com","top_level_domain":"com"}}',
    ],
    [
      { field: 'a', target_field: 'u' },
      '{"a":"co.uk"}',
      '{"a":"co.uk","u":{"domain":"co.uk","top_level_domain":"co.uk"}}',
    ],
    [{ field: 'a' }, '{"a":"foo.bar.nosuchending"}', '{"a":"foo.bar.nosuchending"}'],
    [{ field: 'a' }, '{"a":"1.2.3.4"}', '{"a":"1.2.3.4"}'],
    [{ field: 'a' }, '{}', '{}'],
    [
      { field: 'a', ignore_missing: false },
      '{}',
      'illegal_argument_exception: field [a] not present as part of path [a]',
    ],
  ]));
