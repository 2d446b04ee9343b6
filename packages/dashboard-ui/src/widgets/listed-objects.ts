import { prettyJson, rawAt, rawElements, rawMembers } from '@shoal/values';

/** An object of the cluster that has a name and a definition in JSON. */
export interface ListedObject {
  readonly id: string;
  /** The definition as it may be sent back: numbers as they are stored. */
  readonly text: string;
  /** All that the cluster answers of it. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Built in: it is looked at alone. */
  readonly isReserved: boolean;
}

/** Members that the cluster answers and does not take back. */
const ANSWERED_ONLY = new Set(['transient_metadata']);

function isReserved({ metadata }: Readonly<Record<string, unknown>>): boolean {
  return (metadata as { readonly _reserved?: unknown } | undefined)?._reserved === true;
}

function listed(id: string, answered: string, definition: string): ListedObject {
  const members = rawMembers(definition)
    .filter(({ key }) => !ANSWERED_ONLY.has(key))
    .map(({ key, from, to }) => `${JSON.stringify(key)}:${definition.slice(from, to)}`);
  const json = JSON.parse(answered) as ListedObject['json'];
  return { id, json, text: prettyJson(`{${members.join(',')}}`), isReserved: isReserved(json) };
}

/** Objects of `{"name": {…}}`. */
export const readByName = (answer: string): readonly ListedObject[] =>
  rawMembers(answer).map(({ key, from, to }) => listed(key, answer.slice(from, to), answer.slice(from, to)));

/** Objects of `{"name": {"policy": {…}, …}}`; what is sent back is the member, within an object if it has a name. */
export const readPolicies =
  (isWrapped: boolean) =>
  (answer: string): readonly ListedObject[] =>
    rawMembers(answer).map(({ key, from, to }) => {
      const answered = answer.slice(from, to);
      const policy = rawAt(answered, ['policy']) ?? '{}';
      return listed(key, answered, isWrapped ? `{"policy":${policy}}` : policy);
    });

/** Objects of `{"list": [{"name": …, "member": {…}}]}`. */
export const readList =
  (list: string, member: string) =>
  (answer: string): readonly ListedObject[] =>
    rawElements(rawAt(answer, [list]) ?? '[]').map((element) => {
      const definition = rawAt(element, [member]) ?? '{}';
      return listed(String(JSON.parse(rawAt(element, ['name']) ?? '""')), definition, definition);
    });

const CELL_CHARS_MAX = 300;

/** A member of a definition as a cell shows it: texts and lists of texts as they are, anything else as JSON. */
export function cellText(value: unknown): string {
  const isTexts = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
  const text = isTexts ? value.join(', ') : typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX)}…` : text;
}
