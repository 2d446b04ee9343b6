import { suggestNames } from '@shoal/values';
import { NODE_SETTINGS } from '../settings/node-settings.js';

/** Settings of the keystore by name. */
export interface SecureSettings {
  get(name: string): string | null;
  readonly names: readonly string[];
}

/** A setting that belongs into the keystore. */
export interface SecureSetting {
  /** Name of the setting; `*` stands for one part between dots. */
  readonly name: string;
  readonly description: string;
}

const ssl = (layer: string): readonly SecureSetting[] => [
  {
    name: `xpack.security.${layer}.ssl.secure_key_passphrase`,
    description: `Password of \`xpack.security.${layer}.ssl.key\`.`,
  },
  {
    name: `xpack.security.${layer}.ssl.keystore.secure_password`,
    description: `Password of \`xpack.security.${layer}.ssl.keystore.path\`.`,
  },
  {
    name: `xpack.security.${layer}.ssl.truststore.secure_password`,
    description: `Password of \`xpack.security.${layer}.ssl.truststore.path\`.`,
  },
];

const s3: readonly SecureSetting[] = [
  { name: 's3.client.*.access_key', description: 'Access key of a client of repositories of type `s3`.' },
  { name: 's3.client.*.secret_key', description: 'Secret key of such a client.' },
  { name: 's3.client.*.session_token', description: 'Token of temporary keys of such a client.' },
  { name: 's3.client.*.proxy.username', description: 'User of the proxy of such a client.' },
  { name: 's3.client.*.proxy.password', description: 'Password of the proxy of such a client.' },
];

/** All settings that a keystore may hold; docs/settings.md is generated from this table. */
export const SECURE_SETTINGS: readonly SecureSetting[] = [
  { name: 'bootstrap.password', description: 'Password of `elastic` until one is set by the API.' },
  {
    name: 'shoal.transport.secret',
    description:
      'Secret by which the nodes of a cluster know each other, the same on all of them. Without it certificates of ' +
      'links, or `bootstrap.password`, tell who joins.',
  },
  { name: 'keystore.seed', description: 'Accepted for compatibility: keystores of Elasticsearch hold it.' },
  ...ssl('http'),
  ...ssl('transport'),
  ...s3,
  {
    name: 'xpack.security.authc.realms.jwt.*.hmac_jwkset',
    description: 'Keys of a JWT realm whose tokens are signed by HMAC, as a JSON Web Key Set.',
  },
  {
    name: 'xpack.security.authc.realms.jwt.*.ssl.truststore.secure_password',
    description: 'Password of `ssl.truststore.path` of a JWT realm.',
  },
  {
    name: 'xpack.security.authc.realms.jwt.*.hmac_key',
    description: 'Key of a JWT realm whose tokens are signed by HMAC.',
  },
  {
    name: 'xpack.security.authc.realms.jwt.*.client_authentication.shared_secret',
    description: 'What clients of a JWT realm prove themselves with.',
  },
];

const matches = (pattern: string, name: string): boolean => {
  const [parts, wanted] = [name.split('.'), pattern.split('.')];
  return parts.length === wanted.length && wanted.every((part, i) => part === '*' || part === parts[i]);
};

/** Returns why a name does not belong into a keystore, or null if it does. */
export function secureSettingProblem(name: string): string | null {
  if (SECURE_SETTINGS.some((setting) => matches(setting.name, name))) return null;
  if (NODE_SETTINGS.some((setting) => setting.name === name))
    return `[${name}] is not a secure setting: it belongs into the configuration file`;
  const [near] = suggestNames(
    name,
    SECURE_SETTINGS.map((setting) => setting.name),
  );
  return `unknown secure setting [${name}]${near === undefined ? '' : `: did you mean [${near}]?`}`;
}
