/** A function that Elasticsearch adds to mustache: a section with its name renders its content in another way. */
export type TemplateFunction =
  /** Renders the value as JSON if it is an object or a list, else as text. */
  | { readonly name: 'toJson' }
  /** Renders the items of a list with `delimiter` between them. */
  | { readonly name: 'join'; readonly delimiter: string };

/** A name in a template, and the names between its dots. */
export interface TemplateName {
  readonly text: string;
  readonly steps: readonly string[];
  /** Line in which it stands, from 1, for errors. */
  readonly line: number;
}

/** A piece of a parsed template. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** The value of a variable; `isRaw`: without escapes. */
  | { readonly kind: 'variable'; readonly name: TemplateName; readonly isRaw: boolean }
  | {
      readonly kind: 'section';
      readonly name: TemplateName;
      readonly isInverted: boolean;
      readonly parts: readonly Part[];
    }
  /** A function of the value that `argument` names. */
  | {
      readonly kind: 'function';
      readonly function: TemplateFunction;
      readonly argument: TemplateName;
    }
  /** The content, encoded for a URL. */
  | { readonly kind: 'url'; readonly parts: readonly Part[] };
