import type { ConsensusMessage } from '@shoal/consensus';
import { coordination } from '@shoal/protocol';
import type { LinkRequestOptions, PeerLink, Transport } from '@shoal/transport';

const HEADER_LENGTH_BYTES = 4;
/** Beginnings of the types of messages that safety invariants are about. */
const WATCHED = ['publish"', 'publishOk', 'commit"', 'join"', 'joinReque'];
const TYPE_AT = HEADER_LENGTH_BYTES + '{"type":"'.length;

/** Decodes a coordination message that invariants are about; null for others. */
function watchedMessage(payload: Uint8Array): ConsensusMessage | null {
  const start = Buffer.from(
    payload.buffer,
    payload.byteOffset + TYPE_AT,
    Math.min(9, payload.byteLength - TYPE_AT),
  ).toString('latin1');
  if (!WATCHED.some((type) => start.startsWith(type))) return null;
  const length = new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0);
  return JSON.parse(
    Buffer.from(payload.buffer, payload.byteOffset + HEADER_LENGTH_BYTES, length).toString('utf8'),
  ) as ConsensusMessage;
}

/** Wraps a transport to report each request that it sends. */
export function observeRequests(
  transport: Transport,
  sent: (to: string, action: string, payload: Uint8Array, message: ConsensusMessage | null) => void,
): Transport {
  const observed = (link: PeerLink): PeerLink => {
    const request = link.request.bind(link);
    Object.defineProperty(link, 'request', {
      value: (action: string, payload: Uint8Array, options?: LinkRequestOptions) => {
        sent(
          link.peer.nodeId,
          action,
          payload,
          action === coordination.methods.message.action ? watchedMessage(payload) : null,
        );
        return request(action, payload, options);
      },
    });
    return link;
  };
  return {
    boundAddress: transport.boundAddress,
    connect: async (address, options) => observed(await transport.connect(address, options)),
    probe: (address, timeoutMs) => transport.probe(address, timeoutMs),
    stats: () => transport.stats(),
    close: () => transport.close(),
  };
}
