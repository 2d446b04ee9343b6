import { test } from 'node:test';
import { processorTable } from '../testing/pipeline-table.js';

test('network_direction tells directions', () =>
  processorTable('network_direction', [
    [
      { source_ip: 's', destination_ip: 'd', internal_networks: ['private'] },
      '{"s":"10.0.0.1","d":"8.8.8.8"}',
      '{"s":"10.0.0.1","d":"8.8.8.8","network":{"direction":"outbound"}}',
    ],
    [
      { source_ip: 's', destination_ip: 'd', internal_networks: ['192.168.0.0/16', 'loopback'] },
      '{"s":"8.8.8.8","d":"192.168.1.1"}',
      '{"s":"8.8.8.8","d":"192.168.1.1","network":{"direction":"inbound"}}',
    ],
    [
      { source_ip: 's', destination_ip: 'd', internal_networks: ['unicast'] },
      '{"s":"127.0.0.1","d":"169.254.1.1"}',
      '{"s":"127.0.0.1","d":"169.254.1.1","network":{"direction":"external"}}',
    ],
    [
      { source_ip: 's', destination_ip: 'd', internal_networks: ['public'] },
      '{"s":"225.1.2.3","d":"255.255.255.255"}',
      '{"s":"225.1.2.3","d":"255.255.255.255","network":{"direction":"outbound"}}',
    ],
    [
      { source_ip: 's', destination_ip: 'd', internal_networks_field: 'n' },
      '{"s":"1.1.1.1","d":"8.8.8.8"}',
      '{"s":"1.1.1.1","d":"8.8.8.8"}',
    ],
    [
      { source_ip: 's', destination_ip: 'd', internal_networks_field: 'n' },
      '{"s":"1.1.1.1","d":"8.8.8.8","n":["8.0.0.0/8"]}',
      '{"s":"1.1.1.1","d":"8.8.8.8","n":["8.0.0.0/8"],"network":{"direction":"inbound"}}',
    ],
    [
      { internal_networks: ['private'], ignore_missing: false },
      '{"a":1}',
      'illegal_argument_exception: field [source] not present as part of path [source.ip]',
    ],
    [
      { source_ip: 's', destination_ip: 'd' },
      '{}',
      'parse_exception: [internal_networks] or [internal_networks_field] must be specified',
    ],
  ]));
