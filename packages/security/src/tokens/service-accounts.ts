import type { ClusterService } from '@shoal/cluster';
import type { Clock, Random } from '@shoal/doors';
import { errors } from '@shoal/errors';
import type { Json } from '@shoal/json';
import { failValidation } from '../body-checks.js';
import { secretHash } from '../passwords/secret-hash.js';
import { SERVICE_ACCOUNT_ROLES } from '../roles/built-in-roles.js';
import { renderRoleDescriptor } from '../roles/render-role.js';
import { deleteEntry, mergeEntry } from '../section-entries.js';
import { newServiceToken, SERVICE_TOKENS_SECTION, serviceTokenNames } from './service-tokens.js';

/** Service accounts (`elastic/kibana`) and their tokens, as the calls of `/_security/service` show and change them. */
export interface ServiceAccounts {
  /** Accounts of a namespace and service in the form of the API, by name; undefined matches all. */
  get(namespace: string | undefined, service: string | undefined): Json;
  /**
   * Creates a token; returns its name and its text. A name is made up if it is undefined. Throws
   * illegal_argument_exception for unknown accounts, version_conflict_engine_exception if the token exists.
   */
  createToken(account: string, name: string | undefined): Promise<{ readonly name: string; readonly value: string }>;
  /** Deletes a token; returns whether it existed. */
  removeToken(account: string, name: string): Promise<boolean>;
  /** Answer of `GET /_security/service/{namespace}/{service}/credential`. Throws for unknown accounts. */
  credentials(account: string): Json;
}

/** Dependencies of `createServiceAccounts`. */
export interface ServiceAccountsOptions {
  readonly cluster: ClusterService;
  readonly clock: Clock;
  readonly random: Random;
}

const NAME_RULE =
  'service account token name must have at least 1 character and at most 256 characters that are alphanumeric ' +
  '(A-Z, a-z, 0-9) or hyphen (-) or underscore (_). It must not begin with an underscore (_).';

function checkExists(account: string): void {
  if (!SERVICE_ACCOUNT_ROLES.has(account)) throw errors.illegalArgument(`service account [${account}] does not exist`);
}

async function createToken(
  { cluster, clock, random }: ServiceAccountsOptions,
  account: string,
  given: string | undefined,
): Promise<{ readonly name: string; readonly value: string }> {
  checkExists(account);
  const name = given ?? `token_${Buffer.from(random.bytes(12)).toString('base64url')}`;
  if (!/^[A-Za-z0-9-][\w-]{0,255}$/.test(name)) failValidation([NAME_RULE]);
  const { text, secret } = newServiceToken(random, account, name);
  const key = `${account}/${name}`;
  const { applied } = await mergeEntry(cluster, {
    section: SERVICE_TOKENS_SECTION,
    name: key,
    value: { hash: secretHash(secret), created: clock.now() },
    only: 'absent',
  });
  if (!applied)
    throw errors.versionConflict(
      `[service_account_token-${key}]: version conflict, document already exists (current version [1])`,
    );
  return { name, value: text };
}

/** Creates the service accounts of a cluster. */
export function createServiceAccounts(options: ServiceAccountsOptions): ServiceAccounts {
  const { cluster } = options;
  return {
    get(namespace, service) {
      const chosen = [...SERVICE_ACCOUNT_ROLES].filter(
        ([name]) =>
          (namespace === undefined || name.startsWith(`${namespace}/`)) &&
          (service === undefined || name.endsWith(`/${service}`)),
      );
      return Object.fromEntries(chosen.map(([name, role]) => [name, { role_descriptor: renderRoleDescriptor(role) }]));
    },
    createToken: (account, name) => createToken(options, account, name),
    removeToken: (account, name) => deleteEntry(cluster, SERVICE_TOKENS_SECTION, `${account}/${name}`),
    credentials(account) {
      checkExists(account);
      const { nodes } = cluster.state();
      const names = serviceTokenNames(cluster.state(), account).sort();
      return {
        service_account: account,
        count: names.length,
        tokens: Object.fromEntries(names.map((name) => [name, {}])),
        nodes_credentials: { _nodes: { total: nodes.size, successful: nodes.size, failed: 0 }, file_tokens: {} },
      };
    },
  };
}
