import type { NodeSetting } from './node-setting.js';

/** The two layers that can speak TLS. */
export type SslLayer = 'http' | 'transport';

/** Settings of one layer's TLS; those of the other layer have the same names. */
export function sslSettingRows(layer: SslLayer): readonly NodeSetting[] {
  const what = layer === 'http' ? 'HTTP' : 'links between nodes';
  const row = (
    name: string,
    kind: NodeSetting['kind'],
    fallback: string | null,
    description: string,
    more: Partial<NodeSetting> = {},
  ): NodeSetting => ({ name: `xpack.security.${layer}.ssl.${name}`, kind, fallback, description, ...more });
  return [
    row(
      'enabled',
      'boolean',
      'false',
      `TLS for ${what}. True by itself when the first start set TLS up ([security.md](security.md)).`,
    ),
    row('key', 'text', null, 'PEM file with the private key; relative to `path.conf`.'),
    row('key_passphrase', 'text', null, 'Password of that key; better in the keystore as `secure_key_passphrase`.', {
      isSecret: true,
    }),
    row('certificate', 'text', null, 'PEM file with the certificate and its chain.'),
    row('certificate_authorities', 'list', null, 'PEM files with the authorities that are trusted.'),
    row('keystore.path', 'text', null, 'PKCS#12 file with key and certificate, in place of `key` and `certificate`.'),
    row('keystore.type', 'text', null, 'Format of that file: PKCS12.'),
    row(
      'keystore.password',
      'text',
      null,
      'Password of that file; better in the keystore as `keystore.secure_password`.',
      { isSecret: true },
    ),
    row(
      'truststore.path',
      'text',
      null,
      'PKCS#12 file with the authorities that are trusted, in place of `certificate_authorities`.',
    ),
    row('truststore.type', 'text', null, 'Format of that file: PKCS12.'),
    row(
      'truststore.password',
      'text',
      null,
      'Password of that file; better in the keystore as `truststore.secure_password`.',
      { isSecret: true },
    ),
    row(
      'client_authentication',
      'text',
      layer === 'http' ? 'none' : 'required',
      'Whether the other side has to show a certificate that an authority signed.',
      { values: ['none', 'optional', 'required'] },
    ),
    row(
      'verification_mode',
      'text',
      'full',
      'What is checked of the certificate of a dialled node: `full` also that it is for the address, `certificate` ' +
        'only who signed it, `none` nothing.',
      { values: ['full', 'certificate', 'none'] },
    ),
    row('supported_protocols', 'list', 'TLSv1.3,TLSv1.2', 'Versions of TLS; older ones than 1.2 are refused.'),
    row(
      'cipher_suites',
      'list',
      null,
      'Cipher suites by their IANA names, best first; those of the crypto library when absent.',
    ),
  ];
}
