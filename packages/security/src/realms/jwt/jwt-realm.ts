import type { Clock, Log } from '@shoal/doors';
import { parseTimeValue } from '@shoal/values';
import type { JWK, JWTPayload } from 'jose';
import { equalSecrets } from '../../passwords/secret-hash.js';
import type { Arrival } from '../../subject.js';
import { type DescribedUser, mappedAuthentication } from '../mapped-user.js';
import type { TokenRealm } from '../realm.js';
import type { ConfiguredRealm } from '../realm-settings.js';
import type { ReadConfigFile } from '../file/file-realm.js';
import { createTokenKeys, type KeySetSource, parseKeySet } from './token-keys.js';

/** How long an accepted token stays cached at most, the default of `jwt.cache.ttl`. */
const CACHE_MS = 20 * 60_000;

interface JwtSettings {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly subjects: readonly string[];
  readonly algorithms: readonly string[];
  readonly clockSkewSeconds: number;
  readonly principalClaim: string;
  readonly groupsClaim: string | null;
  readonly nameClaim: string | null;
  readonly mailClaim: string | null;
  /** Secret that clients must send; null if they need not send one. */
  readonly clientSecret: string | null;
  readonly showsClaims: boolean;
  readonly requiredClaims: ReadonlyMap<string, readonly string[]>;
}

const listOf = (text: string | undefined): readonly string[] =>
  (text ?? '')
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function required(values: ReadonlyMap<string, string>, key: string, realm: string): string {
  const value = values.get(key);
  if (value === undefined || value === '')
    throw new Error(`setting [xpack.security.authc.realms.jwt.${realm}.${key}] must be set`);
  return value;
}

function clientSecretOf(values: ReadonlyMap<string, string>, name: string): string | null {
  const type = values.get('client_authentication.type') ?? 'shared_secret';
  if (type === 'none') return null;
  if (type === 'shared_secret') return required(values, 'client_authentication.shared_secret', name);
  throw new Error(
    `setting [xpack.security.authc.realms.jwt.${name}.client_authentication.type] must be shared_secret or none ` +
      `but was [${type}]`,
  );
}

function settingsOf({ name, values }: ConfiguredRealm): JwtSettings {
  const claims = [...values].filter(([key]) => key.startsWith('required_claims.'));
  const subjects = listOf(values.get('allowed_subjects'));
  if (values.get('token_type') === 'access_token' && subjects.length === 0) required(values, 'allowed_subjects', name);
  return {
    issuer: required(values, 'allowed_issuer', name),
    audiences: listOf(required(values, 'allowed_audiences', name)),
    subjects,
    algorithms: listOf(values.get('allowed_signature_algorithms') ?? 'RS256'),
    clockSkewSeconds: parseTimeValue(values.get('allowed_clock_skew') ?? '60s', 'allowed_clock_skew') / 1000,
    principalClaim: required(values, 'claims.principal', name),
    groupsClaim: values.get('claims.groups') ?? null,
    nameClaim: values.get('claims.name') ?? null,
    mailClaim: values.get('claims.mail') ?? null,
    clientSecret: clientSecretOf(values, name),
    showsClaims: values.get('populate_user_metadata') !== 'false',
    requiredClaims: new Map(claims.map(([key, value]) => [key.slice('required_claims.'.length), listOf(value)])),
  };
}

/** Shared secrets of `hmac_jwkset` or `hmac_key`. */
function secretsOf({ name, values }: ConfiguredRealm): readonly JWK[] {
  const [key, set] = [values.get('hmac_key'), values.get('hmac_jwkset')];
  const prefix = `xpack.security.authc.realms.jwt.${name}`;
  if (key !== undefined && set !== undefined)
    throw new Error(`settings [${prefix}.hmac_jwkset] and [${prefix}.hmac_key] are not allowed at the same time`);
  if (key !== undefined) return [{ kty: 'oct', k: Buffer.from(key).toString('base64url') }];
  return set === undefined
    ? []
    : checkedKeys(set, `setting [${prefix}.hmac_jwkset]`).filter(({ kty }) => kty === 'oct');
}

function checkedKeys(text: string, what: string): readonly JWK[] {
  try {
    return parseKeySet(text).keys;
  } catch (error) {
    throw new Error(`${what} cannot be used: ${(error as Error).message}`);
  }
}

function fileSource(file: string, realm: string, read: ReadConfigFile): KeySetSource {
  const text = read(file);
  if (text === null) throw new Error(`the key set [${file}] of the realm [${realm}] cannot be read`);
  checkedKeys(text, `the key set [${file}] of the realm [${realm}]`);
  return {
    place: file,
    read: async () => {
      const now = read(file);
      if (now === null) throw new Error('the file does not exist');
      return now;
    },
  };
}

/** Source of the public keys of `pkc_jwkset_path`, a file or an https URL; null if not set. */
function sourceOf(realm: ConfiguredRealm, read: ReadConfigFile, keySetAt: OpenKeySet): KeySetSource | null {
  const path = realm.values.get('pkc_jwkset_path');
  if (path === undefined) return null;
  if (!/^https?:/i.test(path)) return fileSource(path, realm.name, read);
  const setting = `xpack.security.authc.realms.jwt.${realm.name}.pkc_jwkset_path`;
  if (!URL.canParse(path) || new URL(path).protocol !== 'https:')
    throw new Error(
      `setting [${setting}] must be a file of the configuration folder or an https URL but was [${path}]`,
    );
  return { place: path, read: keySetAt(realm, new URL(path)) };
}

function textClaim(payload: JWTPayload, claim: string | null): string | null {
  const value = claim === null ? undefined : payload[claim];
  return typeof value === 'string' ? value : null;
}

function hasRequiredClaims(payload: JWTPayload, { requiredClaims, subjects }: JwtSettings): boolean {
  if (subjects.length > 0 && !subjects.includes(String(payload.sub))) return false;
  return [...requiredClaims].every(([claim, allowed]) =>
    [payload[claim]].flat().some((value) => allowed.includes(String(value))),
  );
}

function userOf(payload: JWTPayload, settings: JwtSettings): DescribedUser | null {
  const username = textClaim(payload, settings.principalClaim);
  if (username === null || username === '') return null;
  const groups =
    settings.groupsClaim === null
      ? []
      : [payload[settings.groupsClaim]].flat().filter((group) => typeof group === 'string');
  const claims = settings.showsClaims
    ? Object.entries(payload).map(([claim, value]) => [`jwt_claim_${claim}`, value] as const)
    : [];
  return {
    username,
    dn: null,
    groups,
    fullName: textClaim(payload, settings.nameClaim),
    email: textClaim(payload, settings.mailClaim),
    metadata: Object.fromEntries(claims),
  };
}

/** Whether the client sent the realm's secret: `ES-Client-Authentication: SharedSecret …`. */
function isKnownClient({ headers }: Arrival, secret: string | null): boolean {
  if (secret === null) return true;
  const match = /^SharedSecret (.+)$/i.exec(String(headers['es-client-authentication'] ?? ''));
  return match !== null && equalSecrets(match[1]!, secret);
}

/**
 * Returns a function that fetches a realm's key set with the realm's `ssl.*` and `http.*` settings. Throws an Error for
 * invalid settings; the function rejects on failure and timeout.
 */
export type OpenKeySet = (realm: ConfiguredRealm, url: URL) => () => Promise<string>;

/** Dependencies of a JWT realm. */
export interface JwtRealmOptions {
  readonly read: ReadConfigFile;
  readonly keySetAt: OpenKeySet;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Realm of users with a JSON Web Token (RFC 7519) that is signed with a key of the realm. Throws an Error for invalid
 * settings.
 */
export function jwtRealm(realm: ConfiguredRealm, { read, keySetAt, clock, log }: JwtRealmOptions): TokenRealm {
  const ref = { name: realm.name, type: 'jwt' };
  const settings = settingsOf(realm);
  const secrets = secretsOf(realm);
  const source = sourceOf(realm, read, keySetAt);
  if (source === null && secrets.length === 0)
    throw new Error(
      'one of the settings [pkc_jwkset_path], [hmac_jwkset], [hmac_key] of ' +
        `[xpack.security.authc.realms.jwt.${realm.name}] must be set`,
    );
  const keys = createTokenKeys({ realm: realm.name, secrets, source, clock, log });
  const verified = (token: string): Promise<JWTPayload> => {
    const options = {
      issuer: settings.issuer,
      audience: [...settings.audiences],
      algorithms: [...settings.algorithms],
      clockTolerance: settings.clockSkewSeconds,
      currentDate: new Date(clock.now()),
    };
    return keys.verify(token, { ...options, requiredClaims: ['exp', 'iat'] });
  };
  return {
    ref,
    async verify(token, arrival) {
      if (token.split('.').length !== 3 || !isKnownClient(arrival, settings.clientSecret)) return null;
      const payload = await verified(token).catch(
        (error: unknown) =>
          void log.write('debug', 'a token is not accepted', {
            'error.message': (error as Error).message,
            realm: realm.name,
          }),
      );
      const user = payload && hasRequiredClaims(payload, settings) ? userOf(payload, settings) : null;
      if (!payload || user === null) return null;
      const expiresAtMs = Math.min(clock.now() + CACHE_MS, payload.exp! * 1000 + settings.clockSkewSeconds * 1000);
      return {
        current: (state) => mappedAuthentication(state, user, ref),
        expiresAtMs,
        tags: [realm.name, user.username],
      };
    },
  };
}
