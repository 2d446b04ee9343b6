import { createHmac, timingSafeEqual } from 'node:crypto';
import type { HelloFacts, LinkClass, LinkMembership } from './types.js';

/** One side of a handshake: what its hello said. */
export interface HandshakeSide {
  readonly facts: HelloFacts;
  readonly nonce: Uint8Array;
}

/** The hellos of both sides of a link. */
export interface Handshake {
  readonly dialer: HandshakeSide;
  readonly acceptor: HandshakeSide;
  readonly linkClass: LinkClass;
}

/** The nonce of a hello: empty unless this side has a key, and so asks for a proof. */
export const helloNonce = (membership: LinkMembership | null): Uint8Array =>
  membership === null || membership.key === null ? new Uint8Array(0) : membership.nonce();

/**
 * Returns the key by which both sides must prove themselves on this link, or null. Earlier builds that are admitted
 * prove nothing.
 */
export function proofKey(membership: LinkMembership | null, remote: HelloFacts): Uint8Array | null {
  if (membership === null || (remote.security === undefined && membership.admitsEarlier)) return null;
  return membership.key;
}

/** Returns why the security of `remote` does not fit; null if it does, as far as hellos tell. */
export function membershipProblem(membership: LinkMembership | null, { facts, nonce }: HandshakeSide): string | null {
  if (membership === null) return null;
  const { isSecured, admitsEarlier } = membership;
  if (facts.security === undefined) {
    if (!isSecured || admitsEarlier) return null;
    return (
      `security is on here, and version [${facts.version}] of the remote node comes from a build that does not prove ` +
      'its security settings: [shoal.transport.admit_unproven] admits it for an upgrade'
    );
  }
  const local = isSecured ? 'on' : 'off';
  if (facts.security !== local)
    return `remote node has security [${facts.security}], local node has security [${local}]: it must be the same`;
  if (membership.key !== null && nonce.length === 0)
    return 'remote node has no secret of the cluster, local node asks for one';
  if (membership.key === null && nonce.length > 0)
    return (
      'remote node asks for the secret of the cluster, local node has none: give it the same [ELASTIC_PASSWORD], ' +
      '[bootstrap.password] or [shoal.transport.secret] as the others'
    );
  return null;
}

/** Reason of a link whose other side proved another secret, or none. */
export const WRONG_SECRET =
  'the secret of the cluster differs: [ELASTIC_PASSWORD], [bootstrap.password] or [shoal.transport.secret] must be ' +
  'the same on all nodes';

const sideText = ({ facts, nonce }: HandshakeSide): readonly string[] => [
  Buffer.from(nonce).toString('base64'),
  facts.clusterName,
  facts.nodeId,
  facts.ephemeralId,
  facts.transportAddress,
  facts.dataAddress,
  facts.security ?? '',
];

/**
 * HMAC-SHA-256 over the role of who proves and over both hellos. The role keeps one side's proof from being sent back
 * to it; the nonces of both keep one from being used again; the ids and addresses keep it from another node's mouth.
 */
export function proofOf(key: Uint8Array, role: 'dialer' | 'acceptor', handshake: Handshake): Uint8Array {
  const { dialer, acceptor, linkClass } = handshake;
  const text = JSON.stringify(['shoal link 1', role, linkClass, sideText(dialer), sideText(acceptor)]);
  return createHmac('sha256', key).update(text).digest();
}

/** Whether `mac` is the proof of `role`; takes as long for a wrong one as for a right one. */
export function isProof(key: Uint8Array, role: 'dialer' | 'acceptor', handshake: Handshake, mac: Uint8Array): boolean {
  const expected = proofOf(key, role, handshake);
  return mac.length === expected.length && timingSafeEqual(mac, expected);
}
