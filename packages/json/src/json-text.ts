/**
 * JSON text that goes into answers as it is: numbers that print in a form of their own (`4.0`, `1.0E10`), hits that a
 * shard has rendered. `JSON.stringify` would change it, so it refuses it as it refuses a bigint, and `stringify` prints
 * it.
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
