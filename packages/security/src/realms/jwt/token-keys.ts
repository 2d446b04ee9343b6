import type { Clock, Log } from '@shoal/doors';
import type { CryptoKey, JSONWebKeySet, JWK, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose';

/** A key set that can be read again; its text may have changed. */
export interface KeySetSource {
  /** File or URL, for log lines. */
  readonly place: string;
  /** Rejects if the key set cannot be read. */
  read(): Promise<string>;
}

/** Least time between two reads of a key set, however many tokens have an unknown key. */
const RELOAD_PAUSE_MS = 5_000;

/** Most keys of a set that are tried for a token without a key id. */
const TRIED_KEYS_MAX = 50;

type Jose = typeof import('jose');

/** Parses a JSON Web Key Set (RFC 7517). Throws an Error if the text is not one. */
export function parseKeySet(text: string): JSONWebKeySet {
  const parsed = JSON.parse(text) as unknown;
  const keys = typeof parsed === 'object' && parsed !== null ? (parsed as { keys?: unknown }).keys : undefined;
  if (!Array.isArray(keys) || !keys.every((key) => typeof key === 'object' && key !== null))
    throw new Error('it is not a JSON Web Key Set: an object with a list [keys] of objects is expected');
  return { keys: keys as JWK[] };
}

/** Finds the shared secret of a token; `createLocalJWKSet` of jose accepts public keys only. */
function secretFinder(secrets: readonly JWK[]): JWTVerifyGetKey {
  return (header) => {
    const secret = secrets.find(
      (key) =>
        (header.kid === undefined || key.kid === undefined || key.kid === header.kid) &&
        (key.alg === undefined || key.alg === header.alg),
    );
    if (secret === undefined) throw new Error('no shared secret of the realm is for this token');
    return Buffer.from(String(secret.k), 'base64url');
  };
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** Verifies a token without a key id, by trying each of several matching keys. */
async function verifyWithAny(
  { jwtVerify }: Jose,
  token: string,
  fitting: AsyncIterable<CryptoKey>,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  let tried = 0;
  for await (const key of fitting) {
    if (++tried > TRIED_KEYS_MAX) break;
    try {
      return (await jwtVerify(token, key, options)).payload;
    } catch (error) {
      if (codeOf(error) !== 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') throw error;
    }
  }
  throw Object.assign(new Error('signature verification failed'), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' });
}

async function verifyBy(
  jose: Jose,
  token: string,
  find: JWTVerifyGetKey,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jose.jwtVerify(token, find, options)).payload;
  } catch (error) {
    if (codeOf(error) !== 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') throw error;
    return verifyWithAny(jose, token, error as AsyncIterable<CryptoKey>, options);
  }
}

interface LoadedKeySet {
  readonly text: string;
  readonly find: JWTVerifyGetKey;
}

/** Keys that sign the tokens of a realm. */
export interface TokenKeys {
  /**
   * Returns the claims of a token. Rejects if the token does not satisfy `options`, or is not signed with a key of the
   * realm.
   */
  verify(token: string, options: JWTVerifyOptions): Promise<JWTPayload>;
}

/** The keys of a realm and how to read them. */
export interface TokenKeysOptions {
  readonly realm: string;
  readonly secrets: readonly JWK[];
  /** Null: tokens are signed with shared secrets only. */
  readonly source: KeySetSource | null;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Public keys of a source, read with the first token. `renew` reads them again; calls during a read share its result.
 */
function createPublicKeys({ realm, source, clock, log }: TokenKeysOptions & { readonly source: KeySetSource }): {
  known(): Promise<LoadedKeySet | null>;
  renew(): Promise<LoadedKeySet | null>;
} {
  let set: LoadedKeySet | null = null;
  let pending: Promise<LoadedKeySet | null> | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<LoadedKeySet | null> => {
    try {
      const text = await source.read();
      if (set?.text === text) return set;
      const { createLocalJWKSet } = await import('jose');
      set = { text, find: createLocalJWKSet({ keys: parseKeySet(text).keys.filter((key) => key.kty !== 'oct') }) };
    } catch (error) {
      log.write(
        'warn',
        set === null
          ? 'the keys of a realm cannot be read: its tokens are refused'
          : 'the keys of a realm cannot be read again: those read before stay in force',
        { realm, 'url.original': source.place, 'error.message': (error as Error).message },
      );
    }
    return set;
  };
  const renew = (): Promise<LoadedKeySet | null> => {
    if (pending !== null) return pending;
    if (clock.monotonic() - lastMs < RELOAD_PAUSE_MS) return Promise.resolve(set);
    lastMs = clock.monotonic();
    pending = read().finally(() => (pending = null));
    return pending;
  };
  return { known: () => (set === null ? renew() : Promise.resolve(set)), renew };
}

/** Whether a newer version of the key set may contain the key that verification missed. */
const mayBeOfNewKey = (error: unknown): boolean =>
  ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'ERR_JWKS_NO_MATCHING_KEY'].includes(codeOf(error));

/**
 * Verifies tokens with shared secrets and with the public keys of a source. If none of the public keys fits, the source
 * is read again. The library is loaded with the first token.
 */
export function createTokenKeys(options: TokenKeysOptions): TokenKeys {
  const { source, secrets, realm } = options;
  const publicKeys = source === null ? null : createPublicKeys({ ...options, source });
  const findSecret = secretFinder(secrets);
  const verifyPublic = async (jose: Jose, token: string, verifyOptions: JWTVerifyOptions): Promise<JWTPayload> => {
    // The unverified issuer is compared first, so that a token of another issuer cannot make the node fetch keys.
    if (jose.decodeJwt(token).iss !== verifyOptions.issuer) throw new Error('the token is of another issuer');
    const set = (await publicKeys?.known()) ?? null;
    if (set === null) throw new Error(`the realm [${realm}] has no public keys`);
    try {
      return await verifyBy(jose, token, set.find, verifyOptions);
    } catch (error) {
      const renewed = mayBeOfNewKey(error) ? await publicKeys!.renew() : set;
      if (renewed === null || renewed === set) throw error;
      return verifyBy(jose, token, renewed.find, verifyOptions);
    }
  };
  return {
    async verify(token, verifyOptions) {
      const jose = await import('jose');
      if (jose.decodeProtectedHeader(token).alg?.startsWith('HS'))
        return (await jose.jwtVerify(token, findSecret, verifyOptions)).payload;
      return verifyPublic(jose, token, verifyOptions);
    },
  };
}
