import type { CallContext } from '@shoal/coordinator';
import { LazySignal } from '@shoal/doors';
import type { AssembledNode } from '@shoal/node';
import { EVERYBODY, type Subject } from '@shoal/security';
import { ELASTIC_PASSWORD } from '../cluster/simulated-node.js';

/** Properties of a request that HTTP examines before it begins. */
export interface Entering {
  readonly kind: 'search' | 'get' | 'write' | 'management';
  readonly bodyBytes: number;
  /** The `Authorization` header; that of `elastic` if absent. */
  readonly authorization?: string;
}

const ELASTIC = `Basic ${Buffer.from(`elastic:${ELASTIC_PASSWORD}`).toString('base64')}`;

/** Creates a call context without a client. */
export const callOf = (): CallContext => ({
  signal: new LazySignal(),
  opaqueId: null,
  withType: false,
  subject: EVERYBODY,
});

/** Authenticates credentials on a node. Rejects with the 401. */
export async function admitted({ security }: AssembledNode, authorization: string = ELASTIC): Promise<Subject> {
  if (security === null) return EVERYBODY;
  const headers = { authorization };
  return security.admit({ headers, method: 'POST', uri: '/', remoteAddress: '10.1.0.1', certificateSubject: null });
}

/** Runs a client's request as HTTP does: authenticates it, checks limits, and waits for its turn. */
export async function entering<T>(
  node: AssembledNode,
  { kind, bodyBytes, authorization }: Entering,
  work: (call: CallContext) => Promise<T>,
): Promise<T> {
  const subject = await admitted(node, authorization);
  const { http } = node.limits;
  const refusal = http.admit(kind, () => 'client', bodyBytes);
  if (refusal !== null) throw refusal;
  const turn = http.begin(kind, () => true);
  if (turn !== null) await turn;
  const task = node.coordinator.tasks.start({ action: `simulated/${kind}`, description: '', headers: {} });
  try {
    return await work({ ...callOf(), subject, taskId: task.globalId });
  } finally {
    task.end();
  }
}
