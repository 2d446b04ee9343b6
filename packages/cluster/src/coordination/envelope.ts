import type { ConsensusMessage } from '@shoal/consensus';

const HEADER_LENGTH_BYTES = 4;

/** A message between two consensus state machines: its JSON, followed by the body of a publication. */
export interface Envelope {
  readonly message: ConsensusMessage;
  /** Body of a `publish`; empty for other messages. */
  readonly body: Uint8Array;
}

const NO_BODY = new Uint8Array(0);

/** Encodes a message with the body of a publication. */
export function encodeEnvelope(message: ConsensusMessage, body: Uint8Array = NO_BODY): Uint8Array {
  const header = Buffer.from(JSON.stringify(message), 'utf8');
  const bytes = new Uint8Array(HEADER_LENGTH_BYTES + header.length + body.length);
  new DataView(bytes.buffer).setUint32(0, header.length);
  bytes.set(header, HEADER_LENGTH_BYTES);
  bytes.set(body, HEADER_LENGTH_BYTES + header.length);
  return bytes;
}

/** Decodes an envelope. Throws if the bytes are not one. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  const headerBytes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const end = HEADER_LENGTH_BYTES + headerBytes;
  const header = Buffer.from(bytes.buffer, bytes.byteOffset + HEADER_LENGTH_BYTES, headerBytes).toString('utf8');
  return { message: JSON.parse(header) as ConsensusMessage, body: bytes.subarray(end) };
}
