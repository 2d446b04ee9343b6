import type { JsonObject } from '@shoal/json';

/** Parameters of a script with `_source`, the source of the document, which is parsed when the script asks for it. */
export class ScriptSourceMap {
  readonly params: JsonObject;
  #source: JsonObject | null = null;

  constructor(params: JsonObject, read: () => JsonObject) {
    const source = (): JsonObject => (this.#source ??= read());
    this.params = Object.freeze({
      ...params,
      get _source(): JsonObject {
        return source();
      },
    });
  }

  /** Called when the script moves to another document. */
  forget(): void {
    this.#source = null;
  }
}
