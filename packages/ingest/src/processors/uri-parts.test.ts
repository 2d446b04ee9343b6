import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('uri_parts splits URIs', () =>
  processorTable('uri_parts', [
    [
      { field: 'a' },
      '{"a":"http://user:pw@www.example.com:80/a/b.gif?k=v#frag"}',
      '{"a":"http://user:pw@www.example.com:80/a/b.gif?k=v#frag","url":{"domain":"www.example.com","fragmen' +
        't":"frag","path":"/a/b.gif","port":80,"query":"k=v","scheme":"http","extension":"gif","user_info":"u' +
        'ser:pw","username":"user","password":"pw","original":"http://user:pw@www.example.com:80/a/b.gif?k=v#' +
        'frag"}}',
    ],
    [
      { field: 'a', keep_original: false, remove_if_successful: true },
      '{"a":"/only/path"}',
      '{"url":{"path":"/only/path"}}',
    ],
    [{ field: 'a' }, '{"a":"not a uri"}', 'illegal_argument_exception: unable to parse URI [not a uri]'],
  ]));
