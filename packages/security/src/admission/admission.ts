import type { ClusterState } from '@shoal/state';
import type { Clock, Log, Random } from '@shoal/doors';
import { type ApiError, errors } from '@shoal/errors';
import type { Authentication } from '../authentication.js';
import type { SecurityDocuments } from '../documents.js';
import { verifyApiKey } from '../keys/verify-api-key.js';
import type { Passwords } from '../passwords/passwords.js';
import type { Realms, Verified } from '../realms/realm.js';
import type { SecuritySettings } from '../settings.js';
import type { Admit, Arrival, Subject } from '../subject.js';
import type { Tokens } from '../tokens/tokens.js';
import { verifyServiceToken } from '../tokens/service-tokens.js';
import { checkPassword } from './check-password.js';
import { createCredentialCache, type CredentialCache } from './credential-cache.js';
import { type Credentials, parseCredentials } from './credentials.js';
import { createLoginLimits, type LoginLimits } from './login-limits.js';
import { createRefusals, type Refusals } from './refusals.js';
import { asRunAsDenial } from './run-as-denial.js';
import { createWrongCredentials, type WrongCredentials } from './wrong-credentials.js';
import {
  actingAs,
  anonymousAuthentication,
  anonymousSubject,
  canActAsOthers,
  findUser,
  subjectOf,
} from './subject-of.js';

/** Dependencies of `createAdmission`. */
export interface AdmissionOptions {
  readonly state: () => ClusterState;
  readonly documents: SecurityDocuments;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly settings: SecuritySettings;
  readonly passwords: Passwords;
  readonly realms: Realms;
  readonly tokens: Tokens;
}

/** Authentication of the requests of one node, with its caches of accepted and of refused credentials. */
export interface Admission {
  readonly admit: Admit;
  readonly cache: CredentialCache;
  readonly counts: AdmissionCounts;
  /** Checks a username and a password as `admit` does; null if they are wrong. */
  checkPassword(username: string, password: string, address: string): Promise<Verified | null>;
  /** Empties the cache of wrong passwords, so that the next attempt is checked again. */
  forgetRefusals(): void;
}

/** Numbers of requests since the node started. */
export interface AdmissionCounts {
  admitted: number;
  refused: number;
  /** Credentials that were not in the cache and had to be checked. */
  checked: number;
}

interface AdmissionContext extends AdmissionOptions {
  readonly cache: CredentialCache;
  readonly counts: AdmissionCounts;
  readonly limits: LoginLimits;
  readonly refusals: Refusals;
  readonly wrong: WrongCredentials;
  readonly pending: Map<string, Promise<Subject>>;
  readonly anonymous: (state: ClusterState) => Subject | null;
}

type Outcome = Verified | ApiError;

const isVerified = (outcome: Outcome): outcome is Verified => 'current' in outcome;

const headerOf = ({ headers }: Arrival, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

async function basicOutcome(
  context: AdmissionContext,
  username: string,
  password: string,
  { remoteAddress, uri }: Arrival,
): Promise<Outcome> {
  const { realms, passwords, limits, log } = context;
  await limits.turn(remoteAddress);
  const source = limits.sourceOf(remoteAddress);
  const verified = await checkPassword(realms.byPassword, passwords, context.state(), log, username, password, source);
  if (verified) {
    limits.succeeded(remoteAddress);
    return verified;
  }
  limits.failed(remoteAddress);
  return context.refusals.unableToAuthenticate(username, uri);
}

async function bearerOutcome(context: AdmissionContext, token: string, arrival: Arrival): Promise<Outcome> {
  const service = verifyServiceToken(context.state(), token);
  if (service) return service;
  const granted = context.settings.tokens.enabled ? await context.tokens.verify(token) : null;
  if (granted === 'expired') return context.refusals.tokenExpired();
  if (granted) return granted;
  for (const realm of context.realms.byToken) {
    const verified = await realm.verify(token, arrival);
    if (verified) return verified;
  }
  return context.refusals.wrongCredentials(null);
}

async function apiKeyOutcome(
  { settings, refusals, documents, clock }: AdmissionContext,
  id: string,
  secret: string,
): Promise<Outcome> {
  if (!settings.apiKeys.enabled) return refusals.wrongCredentials(null);
  const check = await verifyApiKey(documents, clock, settings.apiKeys.cacheTtlMs, id, secret);
  return 'verified' in check ? check.verified : refusals.wrongCredentials(`API key: ${check.problem}`);
}

function outcomeOf(context: AdmissionContext, credentials: Credentials, arrival: Arrival): Promise<Outcome> | Outcome {
  if (credentials.kind === 'basic') return basicOutcome(context, credentials.username, credentials.password, arrival);
  if (credentials.kind === 'bearer') return bearerOutcome(context, credentials.token, arrival);
  if (credentials.kind === 'apiKey') return apiKeyOutcome(context, credentials.id, credentials.secret);
  return context.refusals.because(credentials.reason);
}

const RUN_AS = 'es-security-runas-user';

/** The name that a refusal quotes: the id of an API key, `_bearer_token` for a token, else the username. */
function principalOf({ type, apiKey, user }: Authentication): string {
  if (apiKey !== null) return apiKey.id;
  return type === 'token' ? '_bearer_token' : user.username;
}

/**
 * Refusal of an `es-security-runas-user` header with an empty name. Ignoring the header would let the request act as
 * its own user.
 */
function actsAsNobody(context: AdmissionContext, by: Authentication, { uri }: Arrival): ApiError {
  return refuse(
    context,
    asRunAsDenial(context.refusals.unableToAuthenticate(principalOf(by), uri), {
      by,
      username: '',
      realm: null,
      action: null,
    }),
  );
}

/** The verified credentials, acting as the user that the header `es-security-runas-user` names, if it may name one. */
function runningAs(context: AdmissionContext, verified: Verified, arrival: Arrival): Verified {
  const target = arrival.headers[RUN_AS];
  if (typeof target !== 'string' || !context.settings.runAsEnabled) return verified;
  return {
    ...verified,
    current(state) {
      const authentication = verified.current(state);
      if (authentication === null || !canActAsOthers(authentication)) return authentication;
      if (target === '') throw actsAsNobody(context, authentication, arrival);
      return actingAs(
        authentication,
        target,
        findUser(context.realms.byPassword, state, target),
        state,
        context.settings,
      );
    },
    tags: [...verified.tags, target],
  };
}

function subjectFor(context: AdmissionContext, verified: Verified, state: ClusterState): Subject | null {
  const authentication = verified.current(state);
  return authentication && subjectOf(authentication, state, context.settings);
}

/** `epoch`: `CredentialCache.epoch` when the check of these credentials began. */
function admitVerified(
  context: AdmissionContext,
  key: string,
  verified: Verified,
  arrival: Arrival,
  epoch: number,
): Subject {
  const state = context.state();
  const acting = runningAs(context, verified, arrival);
  const subject = subjectFor(context, acting, state);
  if (subject === null) throw refuse(context, context.refusals.wrongCredentials(null));
  context.cache.put(key, acting, subject, state, context.clock.now(), epoch);
  context.counts.admitted++;
  return subject;
}

function refuse(context: AdmissionContext, error: ApiError): ApiError {
  context.counts.refused++;
  return error;
}

async function check(
  context: AdmissionContext,
  key: string,
  credentials: Credentials,
  arrival: Arrival,
): Promise<Subject> {
  context.counts.checked++;
  const { epoch } = context.cache;
  const { version } = context.state();
  const outcome = await outcomeOf(context, credentials, arrival);
  if (isVerified(outcome)) return admitVerified(context, key, outcome, arrival, epoch);
  // A node without a cluster state knows no users, so credentials that fail now may be right once it has one.
  if (version === 0) throw refuse(context, context.refusals.tooEarly());
  if (credentials.kind === 'basic') context.wrong.add(key, credentials.username, context.state());
  throw refuse(context, outcome);
}

/** Checks credentials once, however many requests that carry them arrive meanwhile. */
function checkOnce(
  context: AdmissionContext,
  key: string,
  credentials: Credentials,
  arrival: Arrival,
): Promise<Subject> {
  const running = context.pending.get(key);
  if (running)
    return running.catch((error: unknown) => Promise.reject(repeatedRefusal(context, key, arrival) ?? error));
  const started = check(context, key, credentials, arrival).finally(() => context.pending.delete(key));
  context.pending.set(key, started);
  return started;
}

/**
 * The 401 for a password that was found wrong a moment ago, with the URI of this request; null if no such refusal is
 * cached.
 */
function repeatedRefusal(context: AdmissionContext, key: string, { uri }: Arrival): ApiError | null {
  const username = context.wrong.get(key, context.state());
  return username === null ? null : refuse(context, context.refusals.unableToAuthenticate(username, uri));
}

/**
 * Admits a request without credentials in its headers: by its TLS certificate, else as anonymous; throws the 401 if
 * neither is possible.
 */
function admitWithoutCredentials(context: AdmissionContext, arrival: Arrival): Subject {
  const { certificateSubject } = arrival;
  if (certificateSubject !== null) {
    for (const realm of context.realms.byCertificate) {
      const verified = realm.verify(certificateSubject);
      if (verified)
        return admitVerified(
          context,
          context.cache.keyOf(keyText(arrival, 'certificate', certificateSubject)),
          verified,
          arrival,
          context.cache.epoch,
        );
    }
  }
  const anonymous = context.anonymous(context.state());
  if (anonymous === null) throw refuse(context, context.refusals.missing(arrival.uri));
  context.counts.admitted++;
  return anonymous;
}

/**
 * Returns the anonymous subject, created again when sections of the state have changed; null if anonymous requests are
 * off.
 */
function createAnonymous(settings: SecuritySettings, refusals: Refusals): (state: ClusterState) => Subject | null {
  const authentication = anonymousAuthentication(settings);
  let made: { customs: ClusterState['customs']; subject: Subject } | null = null;
  return (state) => {
    if (authentication === null) return null;
    if (made?.customs !== state.customs)
      made = { customs: state.customs, subject: anonymousSubject(authentication, state, settings, refusals) };
    return made.subject;
  };
}

/**
 * Cache key text of everything in a request that decides who makes it. JSON keeps the parts apart: the text of one
 * header cannot imitate another header.
 */
function keyText(arrival: Arrival, kind: 'header' | 'certificate', shown: string): string {
  const target = arrival.headers[RUN_AS];
  const client = headerOf(arrival, 'es-client-authentication');
  return target === undefined && client === ''
    ? `${kind} ${shown}`
    : JSON.stringify([kind, shown, target ?? null, client]);
}

function admit(context: AdmissionContext, arrival: Arrival): Subject | Promise<Subject> {
  if (arrival.headers['es-secondary-authorization'] !== undefined)
    throw errors.illegalArgument('header [es-secondary-authorization] is not supported');
  const header = headerOf(arrival, 'authorization');
  if (header === '') return admitWithoutCredentials(context, arrival);
  const key = context.cache.keyOf(keyText(arrival, 'header', header));
  const state = context.state();
  const known = context.cache.get(key, state, context.clock.now());
  if (known) {
    context.counts.admitted++;
    return known;
  }
  const wrong = repeatedRefusal(context, key, arrival);
  if (wrong !== null) throw wrong;
  const credentials = parseCredentials(header);
  return credentials === null
    ? admitWithoutCredentials(context, arrival)
    : checkOnce(context, key, credentials, arrival);
}

/** Creates the authentication of one node, which every request passes. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { settings, random, clock } = options;
  const counts: AdmissionCounts = { admitted: 0, refused: 0, checked: 0 };
  const cache = createCredentialCache({
    random,
    ttlMs: settings.credentialTtlMs,
    subjectOf: (verified, state) => subjectFor(context, verified, state),
  });
  const refusals = createRefusals({ tokens: settings.tokens.enabled, apiKeys: settings.apiKeys.enabled });
  const context: AdmissionContext = {
    ...options,
    counts,
    cache,
    refusals,
    limits: createLoginLimits(clock),
    wrong: createWrongCredentials(clock),
    pending: new Map(),
    anonymous: createAnonymous(settings, refusals),
  };
  return {
    admit: (arrival) => admit(context, arrival),
    cache,
    counts,
    async checkPassword(username, password, remoteAddress) {
      const outcome = await basicOutcome(context, username, password, {
        headers: {},
        method: '',
        uri: '',
        remoteAddress,
        certificateSubject: null,
      });
      return isVerified(outcome) ? outcome : null;
    },
    forgetRefusals: () => context.wrong.clear(),
  };
}
