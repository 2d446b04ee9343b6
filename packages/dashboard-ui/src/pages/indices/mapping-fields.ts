/** A field of a mapping. */
export interface MappedField {
  /** Full name: `user.name`, `title.raw`. */
  readonly name: string;
  readonly type: string;
  /** Parameters besides type and inner fields, as JSON; empty for none. */
  readonly parameters: string;
}

interface Mapped {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Mapped>>;
  readonly fields?: Readonly<Record<string, Mapped>>;
}

/** All fields of a mapping in its order, inner ones after their parents. */
export function mappedFields(mapping: Mapped, prefix = ''): readonly MappedField[] {
  const inner = [mapping.properties, mapping.fields].flatMap((group) => Object.entries(group ?? {}));
  return inner.flatMap(([name, field]) => {
    const { type = 'object', properties: _properties, fields: _fields, ...rest } = field;
    const parameters = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest);
    const full = `${prefix}${name}`;
    return [{ name: full, type, parameters }, ...mappedFields(field, `${full}.`)];
  });
}

/** The body that adds a field; a name with dots becomes objects. */
export function fieldBody(name: string, type: string): object {
  return name
    .split('.')
    .toReversed()
    .reduce<object>((inner, part, i) => ({ properties: { [part]: i === 0 ? { type } : inner } }), {});
}
