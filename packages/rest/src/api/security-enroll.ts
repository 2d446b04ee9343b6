import { errors } from '@shoal/errors';
import type { RestRequest, RestResponse, Route } from '../routing/route.js';
import { securityOf } from '../security/security-of.js';
import type { EnrollmentSecrets, Services } from '../services.js';

const KIBANA = 'elastic/kibana';

function secretsOf({ enrollment }: Services): EnrollmentSecrets {
  const secrets = enrollment();
  if (secrets === null)
    throw errors.security(
      'Enrollment mode is not enabled. Set [xpack.security.enrollment.enabled] to true, in order to use this API.',
    );
  return secrets;
}

/** Secrets that a new node needs to join the cluster. */
function enrollNode(_request: RestRequest, services: Services): RestResponse {
  const { httpAuthorityKey, httpAuthority, transportAuthority, transportKey, transport } = secretsOf(services);
  const addresses = [...services.cluster.state().nodes.values()].map(({ transportAddress }) => transportAddress);
  return {
    status: 200,
    json: {
      http_ca_key: httpAuthorityKey,
      http_ca_cert: httpAuthority,
      transport_ca_cert: transportAuthority,
      transport_key: transportKey,
      transport_cert: transport,
      nodes_addresses: addresses,
    },
  };
}

/** A service account token for Kibana, and the CA certificate. */
async function enrollKibana(_request: RestRequest, services: Services): Promise<RestResponse> {
  const { httpAuthority } = secretsOf(services);
  const { serviceAccounts, random, clock } = securityOf(services);
  const name = `enroll-process-token-${clock.now()}-${Buffer.from(random.bytes(6)).toString('base64url')}`;
  const token = await serviceAccounts.createToken(KIBANA, name);
  return { status: 200, json: { token, http_ca: httpAuthority } };
}

export const routes: readonly Route<Services>[] = [
  {
    methods: ['GET'],
    path: '/_security/enroll/node',
    name: 'security.enroll_node',
    body: 'none',
    privilege: 'cluster:admin/xpack/security/enroll/node',
    parameters: [],
    handle: enrollNode,
  },
  {
    methods: ['GET'],
    path: '/_security/enroll/kibana',
    name: 'security.enroll_kibana',
    body: 'none',
    privilege: 'cluster:admin/xpack/security/enroll/kibana',
    parameters: [],
    handle: enrollKibana,
  },
];
