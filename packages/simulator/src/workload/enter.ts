import type { CallContext } from '@shoal/coordinator';
import { LazySignal } from '@shoal/doors';
import type { AssembledNode } from '@shoal/node';
import { EVERYBODY, type Subject } from '@shoal/security';
import { ELASTIC_PASSWORD } from '../cluster/simulated-node.js';

/** What of a request HTTP looks at before it is worked on. */
export interface Entering {
  readonly kind: 'search' | 'get' | 'write' | 'management';
  readonly bodyBytes: number;
  /** The `Authorization` header; that of `elastic` when absent. */
  readonly authorization?: string;
}

const ELASTIC = `Basic ${Buffer.from(`elastic:${ELASTIC_PASSWORD}`).toString('base64')}`;

/** A call that no client made. */
export const callOf = (): CallContext => ({
  signal: new LazySignal(),
  opaqueId: null,
  withType: false,
  subject: EVERYBODY,
});

/** Who shows these credentials to a node. Rejects with the 401. */
export async function admitted({ security }: AssembledNode, authorization: string = ELASTIC): Promise<Subject> {
  if (security === null) return EVERYBODY;
  const headers = { authorization };
  return security.admit({ headers, method: 'POST', uri: '/', remoteAddress: '10.1.0.1', certificateSubject: null });
}

/** Does a client's request as HTTP does: who makes it, whether there is room for it, when it is its turn. */
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
