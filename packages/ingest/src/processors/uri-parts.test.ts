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
      '{"url":{"domain":null,"path":"/only/path","scheme":null}}',
    ],
    [
      { field: 'a', keep_original: false, remove_if_successful: true },
      '{"a":"https://a.b/x%20y/z.tar.gz?q=%41%20&r=%2525#%C3%A9"}',
      '{"url":{"domain":"a.b","fragment":"é","path":"/x y/z.tar.gz",' +
        '"query":"q=A &r=%25","scheme":"https","extension":"gz"}}',
    ],
    [
      { field: 'a', keep_original: false, remove_if_successful: true },
      '{"a":"http://u@a.b:8080/x y?q=a|b%20"}',
      '{"url":{"domain":"a.b","path":"/x y","port":8080,"query":"q=a|b%20","scheme":"http","user_info":"u"}}',
    ],
    [
      { field: 'a', keep_original: false, remove_if_successful: true },
      '{"a":"http://my_host:1/a.b/c"}',
      '{"url":{"domain":null,"path":"/a.b/c","scheme":"http"}}',
    ],
    [
      { field: 'a', keep_original: false, remove_if_successful: true },
      '{"a":"mailto:a@b.c"}',
      '{"url":{"domain":null,"scheme":"mailto"}}',
    ],
    [
      { field: 'a', keep_original: false, remove_if_successful: true },
      '{"a":"http://[::1]:80/a."}',
      '{"url":{"domain":"[::1]","path":"/a.","port":80,"scheme":"http","extension":""}}',
    ],
    [{ field: 'a' }, '{"a":"foo://a b"}', 'illegal_argument_exception: unable to parse URI [foo://a b]'],
    [{ field: 'a' }, '{"a":"not a uri"}', 'illegal_argument_exception: unable to parse URI [not a uri]'],
  ]));
