import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('community_id identifies flows', () =>
  processorTable('community_id', [
    [
      { source_ip: 's', source_port: 'sp', destination_ip: 'd', destination_port: 'dp', transport: 't' },
      '{"s":"128.232.110.120","sp":34855,"d":"66.35.250.204","dp":80,"t":"tcp"}',
      '{"s":"128.232.110.120","sp":34855,"d":"66.35.250.204","dp":80,"t":"tcp","network":{"community_id":"1' +
        ':LQU9qZlK+B5F3KDmev6m5PMibrg="}}',
    ],
    [
      { source_ip: 's', source_port: 'sp', destination_ip: 'd', destination_port: 'dp', transport: 't' },
      '{"d":"128.232.110.120","dp":34855,"s":"66.35.250.204","sp":80,"t":"TCP"}',
      '{"d":"128.232.110.120","dp":34855,"s":"66.35.250.204","sp":80,"t":"TCP","network":{"community_id":"1' +
        ':LQU9qZlK+B5F3KDmev6m5PMibrg="}}',
    ],
    [
      { ignore_missing: false },
      '{}',
      'illegal_argument_exception: field [source] not present as part of path [source.ip]',
    ],
    [
      { source_ip: 's', destination_ip: 'd', transport: 't' },
      '{"s":"1.2.3.4","d":"5.6.7.8","t":"tcp"}',
      'illegal_argument_exception: invalid source port [null]',
    ],
    [
      { source_ip: 's', destination_ip: 'd', transport: 't', source_port: 'p' },
      '{"s":"1.2.3.4","d":"5.6.7.8","t":"udp","p":"x"}',
      'illegal_argument_exception: unable to parse source port [x]',
    ],
    [
      { source_ip: 's', destination_ip: 'd', transport: 't' },
      '{"s":"1.2.3.4","d":"5.6.7.8","t":255}',
      'illegal_argument_exception: invalid transport protocol number [255]',
    ],
    [
      { source_ip: 's', destination_ip: 'd', transport: 't' },
      '{"s":"1.2.3.4","d":"5.6.7.8","t":"foo"}',
      'illegal_argument_exception: could not convert string [foo] to transport protocol',
    ],
    [
      { source_ip: 's', destination_ip: 'd', transport: 't' },
      '{"s":"1.2.3","d":"5.6.7.8","t":"foo"}',
      "illegal_argument_exception: '1.2.3' is not an IP string literal.",
    ],
    [{ source_ip: 's', destination_ip: 'd' }, '{"s":"1.2.3.4","d":"5.6.7.8"}', '{"s":"1.2.3.4","d":"5.6.7.8"}'],
  ]));
