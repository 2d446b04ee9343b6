import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

const user = { username: 'jacknich', roles: ['a', 'b'], metadata: { x: 1 }, authentication_type: 'REALM' };

test('set_security_user shows the user of the request', () =>
  processorTable(
    'set_security_user',
    [
      [
        { field: 'u' },
        '{"u":{"known":1}}',
        '{"u":{"known":1,"username":"jacknich","roles":["a","b"],"metadata":{"x":1},"authentication_type":"REALM"}}',
      ],
      [{ field: 'u.v', properties: ['username', 'EMAIL'] }, '{}', '{"u":{"v":{"username":"jacknich"}}}'],
      [{ field: 'u', properties: [] }, '{}', '{"u":{}}'],
      [{ field: 'u', properties: ['zz'] }, '{}', 'parse_exception: [properties] Property value [zz] is in valid'],
    ],
    user,
  ));

test('set_security_user adds to what is known of a key and a realm', () =>
  processorTable(
    'set_security_user',
    [
      [
        { field: 'u', properties: ['api_key', 'realm'] },
        '{"u":{"api_key":{"team":"a","id":"0"},"realm":"x"}}',
        '{"u":{"api_key":{"team":"a","id":"1","name":"k"},"realm":{"name":"r","type":"native"}}}',
      ],
    ],
    { api_key: { id: '1', name: 'k' }, realm: { name: 'r', type: 'native' } },
  ));

test('set_security_user fails where security is off', () =>
  processorTable('set_security_user', [
    [
      { field: 'u' },
      '{}',
      'illegal_state_exception: Security (authentication) is not enabled on this cluster, so there is no active user ' +
        '- the [set_security_user] processor cannot be used without security',
    ],
  ]));
