import type { Clock, Log } from '@shoal/doors';
import { parseTimeValue } from '@shoal/values';
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose';
import { equalSecrets } from '../passwords/secret-hash.js';
import type { Arrival } from '../subject.js';
import { type DescribedUser, mappedAuthentication } from './mapped-user.js';
import type { TokenRealm } from './realm.js';
import type { ConfiguredRealm } from './realm-settings.js';
import type { ReadConfigFile } from './file/file-realm.js';

/** A right token is checked again after this time at the latest, `jwt.cache.ttl`. */
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
  /** Null: clients need not show one. */
  readonly clientSecret: string | null;
  readonly showsClaims: boolean;
  readonly requiredClaims: ReadonlyMap<string, readonly string[]>;
}

const listOf = (text: string | undefined): readonly string[] => (text ?? '').replace(/^\[|\]$/g, '').split(',').map((item) => item.trim()).filter((item) => item !== '');

function required(values: ReadonlyMap<string, string>, key: string, realm: string): string {
  const value = values.get(key);
  if (value === undefined || value === '') throw new Error(`setting [xpack.security.authc.realms.jwt.${realm}.${key}] must be set`);
  return value;
}

function clientSecretOf(values: ReadonlyMap<string, string>, name: string): string | null {
  const type = values.get('client_authentication.type') ?? 'shared_secret';
  if (type === 'none') return null;
  if (type === 'shared_secret') return required(values, 'client_authentication.shared_secret', name);
  throw new Error(`setting [xpack.security.authc.realms.jwt.${name}.client_authentication.type] must be shared_secret or none but was [${type}]`);
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

/** Keys of the file, of `hmac_jwkset` or of `hmac_key`, as a JSON Web Key Set. */
function keySetOf({ name, values }: ConfiguredRealm, read: ReadConfigFile): JSONWebKeySet {
  const file = values.get('pkc_jwkset_path');
  if (file !== undefined && /^https?:/.test(file)) throw new Error(`setting [xpack.security.authc.realms.jwt.${name}.pkc_jwkset_path] must be a file of the configuration folder; key sets at a URL are not supported`);
  const text = file === undefined ? values.get('hmac_jwkset') : read(file);
  if (text === null) throw new Error(`the key set [${file}] of the realm [${name}] cannot be read`);
  if (text !== undefined) return JSON.parse(text) as JSONWebKeySet;
  const key = required(values, 'hmac_key', name);
  return { keys: [{ kty: 'oct', k: Buffer.from(key).toString('base64url') }] };
}

/** Finds the key of a token. Shared secrets are looked up here: the library's key sets are for public keys only. */
function keyFinder(keySet: JSONWebKeySet, publicKeys: (set: JSONWebKeySet) => JWTVerifyGetKey): JWTVerifyGetKey {
  const findPublic = publicKeys({ keys: keySet.keys.filter((key) => key.kty !== 'oct') });
  const secrets = keySet.keys.filter((key) => key.kty === 'oct');
  return (header, token) => {
    if (!header.alg.startsWith('HS')) return findPublic(header, token);
    const secret = secrets.find((key) => (header.kid === undefined || key.kid === undefined || key.kid === header.kid) && (key.alg === undefined || key.alg === header.alg));
    if (secret === undefined) throw new Error('no applicable key found in the JSON Web Key Set');
    return Buffer.from(String(secret.k), 'base64url');
  };
}

function textClaim(payload: JWTPayload, claim: string | null): string | null {
  const value = claim === null ? undefined : payload[claim];
  return typeof value === 'string' ? value : null;
}

function hasRequiredClaims(payload: JWTPayload, { requiredClaims, subjects }: JwtSettings): boolean {
  if (subjects.length > 0 && !subjects.includes(String(payload.sub))) return false;
  return [...requiredClaims].every(([claim, allowed]) => [payload[claim]].flat().some((value) => allowed.includes(String(value))));
}

function userOf(payload: JWTPayload, settings: JwtSettings): DescribedUser | null {
  const username = textClaim(payload, settings.principalClaim);
  if (username === null || username === '') return null;
  const groups = settings.groupsClaim === null ? [] : [payload[settings.groupsClaim]].flat().filter((group) => typeof group === 'string');
  const claims = settings.showsClaims ? Object.entries(payload).map(([claim, value]) => [`jwt_claim_${claim}`, value] as const) : [];
  return { username, dn: null, groups, fullName: textClaim(payload, settings.nameClaim), email: textClaim(payload, settings.mailClaim), metadata: Object.fromEntries(claims) };
}

/** Whether the client shows the realm's secret: `ES-Client-Authentication: SharedSecret …`. */
function isKnownClient({ headers }: Arrival, secret: string | null): boolean {
  if (secret === null) return true;
  const match = /^SharedSecret (.+)$/i.exec(String(headers['es-client-authentication'] ?? ''));
  return match !== null && equalSecrets(match[1]!, secret);
}

export interface JwtRealmOptions {
  readonly read: ReadConfigFile;
  readonly clock: Clock;
  readonly log: Log;
}

/** Users that show a JSON Web Token (RFC 7519) signed with a key of the realm. The library is loaded with the first token. Throws an Error for bad settings. */
export function jwtRealm(realm: ConfiguredRealm, { read, clock, log }: JwtRealmOptions): TokenRealm {
  const ref = { name: realm.name, type: 'jwt' };
  const settings = settingsOf(realm);
  const keySet = keySetOf(realm, read);
  let keys: JWTVerifyGetKey | null = null;
  const verified = async (token: string): Promise<JWTPayload> => {
    const { createLocalJWKSet, jwtVerify } = await import('jose');
    keys ??= keyFinder(keySet, createLocalJWKSet);
    const options = { issuer: settings.issuer, audience: [...settings.audiences], algorithms: [...settings.algorithms], clockTolerance: settings.clockSkewSeconds, currentDate: new Date(clock.now()) };
    return (await jwtVerify(token, keys, { ...options, requiredClaims: ['exp', 'iat'] })).payload;
  };
  return {
    ref,
    async verify(token, arrival) {
      if (token.split('.').length !== 3 || !isKnownClient(arrival, settings.clientSecret)) return null;
      const payload = await verified(token).catch((error: unknown) => void log.write('debug', 'a token is not accepted', { 'error.message': (error as Error).message, realm: realm.name }));
      const user = payload && hasRequiredClaims(payload, settings) ? userOf(payload, settings) : null;
      if (!payload || user === null) return null;
      const expiresAtMs = Math.min(clock.now() + CACHE_MS, payload.exp! * 1000 + settings.clockSkewSeconds * 1000);
      return { current: (state) => mappedAuthentication(state, user, ref), expiresAtMs, tags: [realm.name, user.username] };
    },
  };
}
