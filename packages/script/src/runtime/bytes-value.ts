import { ScriptObject } from './script-object.js';

/** Bytes of a `binary` field as scripts see them; their text is that of UTF-8. */
export class BytesValue extends ScriptObject {
  readonly javaClass = 'org.apache.lucene.util.BytesRef';
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.#bytes = bytes;
  }

  toText(): string {
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length).toString('utf8');
  }
}
