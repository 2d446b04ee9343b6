/** What a JSON value of a body may be: what is completed in it, and which keys are marked as unknown. */
export interface Shape {
  /** Name for the message of an unknown key: `[match] query`. */
  readonly what?: string;
  /** Keys of an object with the shapes of their values; `type` is the value of the member `type`, if it is a text. */
  readonly keys?: (type: string | null) => Readonly<Record<string, Shape>>;
  /** Shape of the values of all other keys: names that people choose, or fields. */
  readonly each?: () => Shape;
  /** Whether keys are names of fields. */
  readonly hasFieldKeys?: boolean;
  /** Whether other keys are possible, although they are not known here. */
  readonly isOpen?: boolean;
  /** Shape of the items of an array; the value itself if it may be one item. */
  readonly items?: () => Shape;
  /** Texts that the value may be. */
  readonly values?: readonly string[] | 'fields' | 'indices';
}

/** Anything. */
export const ANY: Shape = { isOpen: true };

/** An object of keys with any values. */
export const openKeys = (names: readonly string[]): Shape => ({ keys: () => anyOf(names), isOpen: true });

/** Keys with any values. */
export const anyOf = (names: readonly string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, ANY]));

/** A text of some. */
export const oneOf = (values: NonNullable<Shape['values']>): Shape => ({ values, isOpen: true });

/** Keys that do not depend on the member `type`, made once. */
export function keysOnce(make: () => Readonly<Record<string, Shape>>): NonNullable<Shape['keys']> {
  let made: Readonly<Record<string, Shape>> | undefined;
  return () => (made ??= make());
}

/** One value or a list of them. */
export const oneOrMany = (item: Shape): Shape => ({ ...item, items: () => item });
