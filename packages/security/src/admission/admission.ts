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

/** What the gate is made of. */
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

/** The gate of a node with what it remembers. */
export interface Admission {
  readonly admit: Admit;
  readonly cache: CredentialCache;
  readonly counts: AdmissionCounts;
  /** Checks a name and a password as the gate does; null when they are wrong. */
  checkPassword(username: string, password: string, address: string): Promise<Verified | null>;
  /** Forgets refusals, so that what was wrong is checked again. */
  forgetRefusals(): void;
}

/** How often what happened since the start. */
export interface AdmissionCounts {
  admitted: number;
  refused: number;
  /** Credentials that had to be checked. */
  checked: number;
}

interface Gate extends AdmissionOptions {
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
  gate: Gate,
  username: string,
  password: string,
  { remoteAddress, uri }: Arrival,
): Promise<Outcome> {
  const { realms, passwords, limits, log } = gate;
  await limits.turn(remoteAddress);
  const verified = await checkPassword(realms.byPassword, passwords, gate.state(), log, username, password);
  if (verified) return verified;
  limits.failed(remoteAddress);
  return gate.refusals.unableToAuthenticate(username, uri);
}

async function bearerOutcome(gate: Gate, token: string, arrival: Arrival): Promise<Outcome> {
  const service = verifyServiceToken(gate.state(), token);
  if (service) return service;
  const granted = gate.settings.tokens.enabled ? await gate.tokens.verify(token) : null;
  if (granted === 'expired') return gate.refusals.tokenExpired();
  if (granted) return granted;
  for (const realm of gate.realms.byToken) {
    const verified = await realm.verify(token, arrival);
    if (verified) return verified;
  }
  return gate.refusals.wrongCredentials(null);
}

async function apiKeyOutcome(
  { settings, refusals, documents, clock }: Gate,
  id: string,
  secret: string,
): Promise<Outcome> {
  if (!settings.apiKeys.enabled) return refusals.wrongCredentials(null);
  const check = await verifyApiKey(documents, clock, settings.apiKeys.cacheTtlMs, id, secret);
  return 'verified' in check ? check.verified : refusals.wrongCredentials(`API key: ${check.problem}`);
}

function outcomeOf(gate: Gate, credentials: Credentials, arrival: Arrival): Promise<Outcome> | Outcome {
  if (credentials.kind === 'basic') return basicOutcome(gate, credentials.username, credentials.password, arrival);
  if (credentials.kind === 'bearer') return bearerOutcome(gate, credentials.token, arrival);
  if (credentials.kind === 'apiKey') return apiKeyOutcome(gate, credentials.id, credentials.secret);
  return gate.refusals.because(credentials.reason);
}

const RUN_AS = 'es-security-runas-user';

/** The name that credentials show where a refusal says whose they are. */
function principalOf({ type, apiKey, user }: Authentication): string {
  if (apiKey !== null) return apiKey.id;
  return type === 'token' ? '_bearer_token' : user.username;
}

/** A header without a name asks for something, which must not be taken for a request without the header. */
function actsAsNobody(gate: Gate, by: Authentication, { uri }: Arrival): ApiError {
  return refuse(
    gate,
    asRunAsDenial(gate.refusals.unableToAuthenticate(principalOf(by), uri), {
      by,
      username: '',
      realm: null,
      action: null,
    }),
  );
}

/** The same credentials with the user they act as. */
function runningAs(gate: Gate, verified: Verified, arrival: Arrival): Verified {
  const target = arrival.headers[RUN_AS];
  if (typeof target !== 'string' || !gate.settings.runAsEnabled) return verified;
  return {
    ...verified,
    current(state) {
      const authentication = verified.current(state);
      if (authentication === null || !canActAsOthers(authentication)) return authentication;
      if (target === '') throw actsAsNobody(gate, authentication, arrival);
      return actingAs(authentication, target, findUser(gate.realms.byPassword, state, target), state, gate.settings);
    },
    tags: [...verified.tags, target],
  };
}

function subjectFor(gate: Gate, verified: Verified, state: ClusterState): Subject | null {
  const authentication = verified.current(state);
  return authentication && subjectOf(authentication, state, gate.settings);
}

/** `epoch`: that of the cache when the credentials were begun to be checked. */
function admitVerified(gate: Gate, key: string, verified: Verified, arrival: Arrival, epoch: number): Subject {
  const state = gate.state();
  const acting = runningAs(gate, verified, arrival);
  const subject = subjectFor(gate, acting, state);
  if (subject === null) throw refuse(gate, gate.refusals.wrongCredentials(null));
  gate.cache.put(key, acting, subject, state, gate.clock.now(), epoch);
  gate.counts.admitted++;
  return subject;
}

function refuse(gate: Gate, error: ApiError): ApiError {
  gate.counts.refused++;
  return error;
}

async function check(gate: Gate, key: string, credentials: Credentials, arrival: Arrival): Promise<Subject> {
  gate.counts.checked++;
  const { epoch } = gate.cache;
  const { version } = gate.state();
  const outcome = await outcomeOf(gate, credentials, arrival);
  if (isVerified(outcome)) return admitVerified(gate, key, outcome, arrival, epoch);
  // Before the first cluster state no user is known: who is refused now may be right in a moment.
  if (version === 0) throw refuse(gate, gate.refusals.tooEarly());
  if (credentials.kind === 'basic') gate.wrong.add(key, credentials.username, gate.state());
  throw refuse(gate, outcome);
}

/** Requests with the same credentials wait for one check. */
function checkOnce(gate: Gate, key: string, credentials: Credentials, arrival: Arrival): Promise<Subject> {
  const running = gate.pending.get(key);
  if (running) return running.catch((error: unknown) => Promise.reject(repeated(gate, key, arrival) ?? error));
  const started = check(gate, key, credentials, arrival).finally(() => gate.pending.delete(key));
  gate.pending.set(key, started);
  return started;
}

/** The refusal of a password that was found to be wrong for another request; it names this one. */
function repeated(gate: Gate, key: string, { uri }: Arrival): ApiError | null {
  const username = gate.wrong.get(key, gate.state());
  return username === null ? null : refuse(gate, gate.refusals.unableToAuthenticate(username, uri));
}

/** A request that shows no credentials in its headers. */
function withoutCredentials(gate: Gate, arrival: Arrival): Subject {
  const { certificateSubject } = arrival;
  if (certificateSubject !== null) {
    for (const realm of gate.realms.byCertificate) {
      const verified = realm.verify(certificateSubject);
      if (verified)
        return admitVerified(
          gate,
          gate.cache.keyOf(keyText(arrival, 'certificate', certificateSubject)),
          verified,
          arrival,
          gate.cache.epoch,
        );
    }
  }
  const anonymous = gate.anonymous(gate.state());
  if (anonymous === null) throw refuse(gate, gate.refusals.missing(arrival.uri));
  gate.counts.admitted++;
  return anonymous;
}

/** The subject of requests without credentials, made anew when the state's roles change; null when there are none. */
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

/** All of a request that decides who makes it. What a client writes in one place never reads as something else. */
function keyText(arrival: Arrival, kind: 'header' | 'certificate', shown: string): string {
  const target = arrival.headers[RUN_AS];
  const client = headerOf(arrival, 'es-client-authentication');
  return target === undefined && client === ''
    ? `${kind} ${shown}`
    : JSON.stringify([kind, shown, target ?? null, client]);
}

function admit(gate: Gate, arrival: Arrival): Subject | Promise<Subject> {
  if (arrival.headers['es-secondary-authorization'] !== undefined)
    throw errors.illegalArgument('header [es-secondary-authorization] is not supported');
  const header = headerOf(arrival, 'authorization');
  if (header === '') return withoutCredentials(gate, arrival);
  const key = gate.cache.keyOf(keyText(arrival, 'header', header));
  const state = gate.state();
  const known = gate.cache.get(key, state, gate.clock.now());
  if (known) {
    gate.counts.admitted++;
    return known;
  }
  const wrong = repeated(gate, key, arrival);
  if (wrong !== null) throw wrong;
  const credentials = parseCredentials(header);
  return credentials === null ? withoutCredentials(gate, arrival) : checkOnce(gate, key, credentials, arrival);
}

/** Makes the gate through which every request comes. */
export function createAdmission(options: AdmissionOptions): Admission {
  const { settings, random, clock } = options;
  const counts: AdmissionCounts = { admitted: 0, refused: 0, checked: 0 };
  const cache = createCredentialCache({
    random,
    ttlMs: settings.credentialTtlMs,
    subjectOf: (verified, state) => subjectFor(gate, verified, state),
  });
  const refusals = createRefusals({ tokens: settings.tokens.enabled, apiKeys: settings.apiKeys.enabled });
  const gate: Gate = {
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
    admit: (arrival) => admit(gate, arrival),
    cache,
    counts,
    async checkPassword(username, password, remoteAddress) {
      const outcome = await basicOutcome(gate, username, password, {
        headers: {},
        method: '',
        uri: '',
        remoteAddress,
        certificateSubject: null,
      });
      return isVerified(outcome) ? outcome : null;
    },
    forgetRefusals: () => gate.wrong.clear(),
  };
}
