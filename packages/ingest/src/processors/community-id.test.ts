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
    [{ ignore_missing: false }, '{}', 'illegal_argument_exception: unable to construct flow from document'],
  ]));
