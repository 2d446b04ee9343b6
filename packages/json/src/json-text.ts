/**
 * Rendered JSON text as a value: `stringify` inserts it unchanged. For numbers with a form of their own (`4.0`,
 * `1.0E10`) and for hits that a shard has rendered. `JSON.stringify` cannot insert raw text; `toJSON` returns a bigint,
 * which makes it throw, and then `stringify` falls back to its own writer.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): bigint {
    return 0n;
  }
}
