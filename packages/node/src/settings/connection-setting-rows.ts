import type { NodeSetting } from './node-setting.js';
import { sslSettingRows } from './ssl-setting-rows.js';

/** Settings of address filters, TLS and secrets. */
export const connectionSettingRows: readonly NodeSetting[] = [
  {
    name: 'path.conf',
    kind: 'text',
    fallback: null,
    description:
      'Folder of certificates, keystore and users of the file realm; `config` inside `path.data` when absent.',
  },
  {
    name: 'resource.reload.enabled',
    kind: 'boolean',
    fallback: 'true',
    description: 'Whether changed certificates, keys and user files are taken without a restart.',
  },
  {
    name: 'resource.reload.interval.high',
    kind: 'time',
    fallback: '5s',
    description: 'How often those files are looked at.',
  },
  {
    name: 'xpack.security.autoconfiguration.enabled',
    kind: 'boolean',
    fallback: 'true',
    description:
      'Whether the first start of a node that others reach sets TLS up when the configuration says nothing about ' +
      'it ([security.md](security.md)).',
  },
  {
    name: 'xpack.security.enrollment.enabled',
    kind: 'boolean',
    fallback: 'false',
    description: 'Whether nodes and Kibana may be enrolled by token. True by itself when the first start set TLS up.',
  },
  {
    name: 'xpack.security.filter.always_allow_bound_address',
    kind: 'boolean',
    fallback: 'true',
    description: 'Whether IP filters always let the addresses in that the node itself is bound to.',
  },
  {
    name: 'shoal.transport.admit_unproven',
    kind: 'boolean',
    fallback: 'false',
    description:
      'Whether a node with security links nodes of builds that prove neither their security settings nor the secret ' +
      'of the cluster; for the time of a rolling upgrade ([security.md](security.md#who-joins)).',
  },
  ...sslSettingRows('http'),
  ...sslSettingRows('transport'),
];
