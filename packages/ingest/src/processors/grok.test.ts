import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('grok takes fields out of texts', () =>
  processorTable('grok', [
    [
      { field: 'a', patterns: ['%{WORD:w} %{NUMBER:n:int} %{GREEDYDATA:r}'] },
      '{"a":"foo 12 rest of it"}',
      '{"a":"foo 12 rest of it","w":"foo","n":12,"r":"rest of it"}',
    ],
    [
      { field: 'a', patterns: ['%{COMBINEDAPACHELOG}'] },
      '{"a":"127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \\"GET /apache_pb.gif HTTP/1.0\\" 200 2326 \\"h' +
        'ttp://www.example.com/start.html\\" \\"Mozilla/4.08 [en] (Win98; I ;Nav)\\""}',
      '{"a":"127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \\"GET /apache_pb.gif HTTP/1.0\\" 200 2326 \\"h' +
        'ttp://www.example.com/start.html\\" \\"Mozilla/4.08 [en] (Win98; I ;Nav)\\"","clientip":"127.0.0.1",' +
        '"ident":"-","auth":"frank","timestamp":"10/Oct/2000:13:55:36 -0700","verb":"GET","request":"/apache_' +
        'pb.gif","httpversion":"1.0","response":"200","bytes":"2326","referrer":"\\"http://www.example.com/st' +
        'art.html\\"","agent":"\\"Mozilla/4.08 [en] (Win98; I ;Nav)\\""}',
    ],
    [
      { field: 'a', patterns: ['%{NOPE:x}'] },
      '{"a":"1"}',
      'parse_exception: [patterns] Invalid regex pattern found in: [%{NOPE:x}]. Unable to find pattern [NOP' +
        "E] in Grok's pattern dictionary",
    ],
    [
      { field: 'a', patterns: ['%{INT:x}'] },
      '{"a":"zz"}',
      'illegal_argument_exception: Provided Grok expressions do not match field value: [zz]',
    ],
    [{ field: 'a', patterns: ['%{INT:x}', '%{GREEDYDATA:y}'] }, '{"a":"zz 12"}', '{"a":"zz 12","y":"zz 12"}'],
    [{ field: 'a', patterns: ['%{WORD}'] }, '{"a":"zz"}', '{"a":"zz"}'],
    [
      { field: 'a', patterns: ['%{NUMBER:x:int}'] },
      '{"a":"12.5"}',
      'number_format_exception: For input string: "12.5"',
    ],
    [{ field: 'a', patterns: ['%{INT:x}', '%{WORD:y}'], trace_match: true }, '{"a":"zz"}', '{"a":"zz","y":"zz"}'],
    [
      { field: 'a', patterns: ['%{MY:x:float}'], pattern_definitions: { MY: '\\d+\\.\\d+' } },
      '{"a":"v 123.42"}',
      '{"a":"v 123.42","x":123.42}',
    ],
    [
      { field: 'a', patterns: ['%{SYSLOGLINE}'] },
      '{"a":"Mar 16 00:01:25 evita postfix/smtpd[1713]: connect from camomile.cloud9.net[168.100.1.3]"}',
      '{"a":"Mar 16 00:01:25 evita postfix/smtpd[1713]: connect from camomile.cloud9.net[168.100.1.3]","tim' +
        'estamp":"Mar 16 00:01:25","logsource":"evita","program":"postfix/smtpd","pid":"1713","message":"conn' +
        'ect from camomile.cloud9.net[168.100.1.3]"}',
    ],
    [
      { field: 'a', patterns: ['%{TIMESTAMP_ISO8601:t} %{LOGLEVEL:l} %{IP:ip} %{UUID:u} %{URI:uri}'] },
      '{"a":"2024-02-29T10:11:12.345Z WARN fe80::1 123e4567-e89b-12d3-a456-426614174000 https://user:pw@hos' +
        't:80/a/b?q=1"}',
      '{"a":"2024-02-29T10:11:12.345Z WARN fe80::1 123e4567-e89b-12d3-a456-426614174000 https://user:pw@hos' +
        't:80/a/b?q=1","t":"2024-02-29T10:11:12.345Z","l":"WARN","ip":"fe80::1","u":"123e4567-e89b-12d3-a456-' +
        '426614174000","uri":"https://user:pw@host:80/a/b?q=1","port":"80"}',
    ],
    [{ field: 'a', patterns: [] }, '{"a":"1"}', 'parse_exception: [patterns] List of patterns must not be empty'],
    [{ field: 'a', patterns: ['(?<x>\\d+)-(?<y>.*)'] }, '{"a":"12-ab"}', '{"a":"12-ab","x":"12","y":"ab"}'],
    [
      { field: 'a', patterns: ['%{QS:q} %{PATH:p} %{EMAILADDRESS:e} %{HOSTPORT:h} %{MAC:m}'] },
      '{"a":"\\"a \\\\\\" b\\" /usr/bin/x a.b@c.de h.x:80 00:11:22:33:44:55"}',
      '{"a":"\\"a \\\\\\" b\\" /usr/bin/x a.b@c.de h.x:80 00:11:22:33:44:55","q":"\\"a \\\\\\" b\\"","p":"/' +
        'usr/bin/x","e":"a.b@c.de","h":"h.x:80","m":"00:11:22:33:44:55"}',
    ],
    [
      { field: 'a', patterns: ['^(a+)+$'] },
      '{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}',
      'illegal_argument_exception: grok pattern matching was interrupted after [100] ms',
    ],
  ]));

test('a type that grok does not know leaves a text, also one that every object has', () =>
  processorTable('grok', [
    [
      { field: 'a', patterns: ['%{WORD:b:__proto__} %{WORD:c:constructor} %{WORD:d:date}'] },
      '{"a":"x y z"}',
      '{"a":"x y z","b":"x","c":"y","d":"z"}',
    ],
  ]));
