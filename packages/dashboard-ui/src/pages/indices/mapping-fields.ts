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

/** What adding a field changes, in a sentence; empty without a name. */
export function addedText(fields: readonly MappedField[], name: string, type: string): string {
  if (name === '') return '';
  const known = fields.find((one) => one.name === name);
  if (known !== undefined && known.type !== type)
    return `${name} is ${known.type}: its type stays, and the call is refused. Another type needs a new index.`;
  if (known !== undefined) return `${name} is ${type} already: nothing changes.`;
  const parts = name.split('.');
  const made = parts
    .slice(0, -1)
    .map((_, i) => parts.slice(0, i + 1).join('.'))
    .filter((parent) => !fields.some((one) => one.name === parent));
  const parents = made.length === 0 ? '' : ` ${made.join(', ')} above it ${made.length === 1 ? 'is' : 'are'} made too.`;
  return `${name} is added as ${type}.${parents} Documents that are there have it once they are indexed anew.`;
}
