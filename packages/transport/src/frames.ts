import { transport } from '@shoal/protocol';
import type { HelloFacts, LinkClass } from './types.js';

/** A frame of a link, see proto/transport.proto. */
export type Frame = transport.Frame;

const NO_PAYLOAD = new Uint8Array(0);

/** Creates an empty frame. All frames have the same members, so that V8 sees one shape. */
function blank(payload: Uint8Array = NO_PAYLOAD): Frame {
  return {
    hello: undefined,
    request: undefined,
    response: undefined,
    failure: undefined,
    cancel: undefined,
    fragment: undefined,
    credit: undefined,
    goodbye: undefined,
    proof: undefined,
    payload,
  };
}

/** First frame of a request, with the first bytes of its payload. */
export function requestFrame(request: transport.Request, payload: Uint8Array): Frame {
  const frame = blank(payload);
  frame.request = request;
  return frame;
}

/** First frame of an answer of `totalBytes`, with the first bytes of its payload. */
export function responseFrame(id: number, totalBytes: number, payload: Uint8Array): Frame {
  const frame = blank(payload);
  frame.response = { id, totalBytes };
  return frame;
}

/** Further payload of the message `id`; `index` counts its fragments. */
export function fragmentFrame(id: number, index: number, payload: Uint8Array): Frame {
  const frame = blank(payload);
  frame.fragment = { id, index };
  return frame;
}

/** Answer of a request that failed; `error` is an encoded error. */
export function failureFrame(id: number, error: Uint8Array): Frame {
  const frame = blank();
  frame.failure = { id, error };
  return frame;
}

/** Cancels the request `id`. */
export function cancelFrame(id: number): Frame {
  const frame = blank();
  frame.cancel = { id };
  return frame;
}

/** Grants the other side `bytes` more of payload. */
export function creditFrame(bytes: number): Frame {
  const frame = blank();
  frame.credit = { bytes };
  return frame;
}

/** Last frame of a side, with the reason why it closes. */
export function goodbyeFrame(kind: 'closed' | 'rejected', reason: string): Frame {
  const frame = blank();
  frame.goodbye = { kind, reason };
  return frame;
}

/** Proof that this side knows the secret of the cluster. */
export function proofFrame(mac: Uint8Array): Frame {
  const frame = blank();
  frame.proof = { mac };
  return frame;
}

/** What a hello says of its link, besides the facts of its node. */
export interface HelloOfLink {
  readonly linkClass: LinkClass;
  readonly windowBytes: number;
  readonly probe: boolean;
  readonly nonce: Uint8Array;
}

/** The first frame of each side. */
export function helloFrame(facts: HelloFacts, { linkClass, windowBytes, probe, nonce }: HelloOfLink): Frame {
  const frame = blank();
  const { clusterUuid, httpAddress, attributes, roles, actions, security, ...same } = facts;
  frame.hello = {
    ...same,
    clusterUuid: clusterUuid ?? '',
    httpAddress: httpAddress ?? '',
    roles: [...roles],
    attributes: [...attributes].map(([name, value]) => ({ name, value })),
    actions: [...(actions ?? [])],
    linkClass,
    windowBytes,
    probe,
    security: security ?? '',
    nonce,
  };
  return frame;
}

/** The facts in a hello. */
export function factsOf(hello: transport.Hello): HelloFacts {
  return {
    clusterName: hello.clusterName,
    clusterUuid: hello.clusterUuid === '' ? null : hello.clusterUuid,
    nodeId: hello.nodeId,
    ephemeralId: hello.ephemeralId,
    name: hello.name,
    roles: hello.roles,
    version: hello.version,
    protocolMin: hello.protocolMin,
    protocolMax: hello.protocolMax,
    transportAddress: hello.transportAddress,
    dataAddress: hello.dataAddress,
    httpAddress: hello.httpAddress === '' ? null : hello.httpAddress,
    attributes: new Map(hello.attributes.map(({ name, value }) => [name, value])),
    ...(hello.security === 'on' || hello.security === 'off' ? { security: hello.security } : {}),
    ...(hello.actions.length > 0 ? { actions: new Set(hello.actions) } : {}),
  };
}

/** Encodes frames as one message. */
export function encodeBatch(frames: Frame[]): Uint8Array {
  return transport.encodeBatch({ frames });
}

/** Decodes a batch. Payloads are views of `bytes`. Throws `corrupt_index_exception` if the bytes are not a batch. */
export function decodeBatch(bytes: Uint8Array): Frame[] {
  return transport.decodeBatch(bytes).frames;
}
