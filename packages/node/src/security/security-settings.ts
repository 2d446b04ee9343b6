import { isLoopback } from './loopback.js';
import { parseRealms, passwordProblem, type SecuritySettings } from '@shoal/security';
import { bindAddresses } from '../http/listen.js';
import { parseTimeValue } from '@shoal/values';
import { ConfigurationError, type NodeSettings } from '../settings/load-settings.js';

const AUTHC = 'xpack.security.authc';
const TOKEN_MS = { min: 1_000, max: 3_600_000 };

/** Whether other machines can reach the node. */
export function reachesOut(settings: NodeSettings): boolean {
  return !(['http', 'transport'] as const).every((layer) => bindAddresses(settings, layer).every(isLoopback));
}

/** Returns `xpack.security.enabled`. Default: on if there is a password or other machines can connect. */
export function isSecurityEnabled(settings: NodeSettings): boolean {
  if (settings.text('xpack.security.enabled') !== null) return settings.boolean('xpack.security.enabled');
  return settings.text('bootstrap.password') !== null || reachesOut(settings);
}

/**
 * Throws ConfigurationError for a first password that the API would refuse. An empty one is what a container gets from
 * a variable that nobody has set: taking it for none would start an open node, or one whose password is in a file.
 */
export function checkFirstPassword(settings: NodeSettings): void {
  const password = settings.text('bootstrap.password');
  if (password === null || !isSecurityEnabled(settings)) return;
  const problem = passwordProblem(password);
  if (problem !== null)
    throw new ConfigurationError(`the first password of elastic (ELASTIC_PASSWORD or bootstrap.password): ${problem}`);
}

/** Whether other machines can connect to the node without authentication. */
export function isOpenToAll(settings: NodeSettings): boolean {
  return !isSecurityEnabled(settings) && reachesOut(settings);
}

function time(settings: NodeSettings, name: string): number {
  return parseTimeValue(settings.text(name)!, name);
}

function realmsOf(settings: NodeSettings): SecuritySettings['realms'] {
  try {
    return parseRealms(settings.below(`${AUTHC}.realms.`));
  } catch (error) {
    throw new ConfigurationError((error as Error).message);
  }
}

function tokenLifetime(settings: NodeSettings): number {
  const name = `${AUTHC}.token.timeout`;
  const ms = time(settings, name);
  if (ms < TOKEN_MS.min || ms > TOKEN_MS.max)
    throw new ConfigurationError(`setting [${name}] must be between 1s and 1h but was [${settings.text(name)}]`);
  return ms;
}

function areTokensEnabled(settings: NodeSettings): boolean {
  const name = `${AUTHC}.token.enabled`;
  return settings.text(name) === null ? settings.boolean('xpack.security.http.ssl.enabled') : settings.boolean(name);
}

/** Reads the authentication settings of the configuration. Throws ConfigurationError. */
export function securitySettings(settings: NodeSettings): SecuritySettings {
  const roles = settings.list(`${AUTHC}.anonymous.roles`);
  return {
    anonymous:
      roles.length === 0
        ? null
        : {
            username: settings.text(`${AUTHC}.anonymous.username`)!,
            roles,
            authzException: settings.boolean(`${AUTHC}.anonymous.authz_exception`),
          },
    reservedRealmEnabled: settings.boolean(`${AUTHC}.reserved_realm.enabled`),
    runAsEnabled: settings.boolean(`${AUTHC}.run_as.enabled`),
    apiKeys: {
      enabled: settings.boolean(`${AUTHC}.api_key.enabled`),
      cacheTtlMs: time(settings, `${AUTHC}.api_key.doc_cache.ttl`),
      retentionMs: time(settings, `${AUTHC}.api_key.delete.retention_period`),
    },
    tokens: { enabled: areTokensEnabled(settings), lifetimeMs: tokenLifetime(settings) },
    credentialTtlMs: time(settings, `${AUTHC}.cache.ttl`),
    filesReloadMs: settings.boolean('resource.reload.enabled') ? time(settings, 'resource.reload.interval.high') : null,
    realms: realmsOf(settings),
    bootstrapPassword: settings.text('bootstrap.password'),
  };
}
