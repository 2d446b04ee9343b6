import { prettyJson, rawAt, rawElements, rawMembers } from '@shoal/values';

/** A pipeline as it is edited: texts of JSON, so that numbers keep their digits. */
export interface PipelineText {
  readonly description: string;
  /** The list of processors. */
  readonly processors: string;
  /** Members that have no field of their own, as they are stored. */
  readonly others: readonly (readonly [name: string, text: string])[];
}

/** A pipeline that does nothing yet. */
export const EMPTY_PIPELINE: PipelineText = { description: '', processors: '[]', others: [] };

/** The pipeline of a name in the text of an answer. */
export function readPipeline(answer: string, name: string): PipelineText {
  const text = rawAt(answer, [name]);
  if (text === null) return EMPTY_PIPELINE;
  const members = rawMembers(text).map(({ key, from, to }) => [key, text.slice(from, to)] as const);
  const member = (key: string, fallback: string): string => members.find(([name]) => name === key)?.[1] ?? fallback;
  return {
    description: String(JSON.parse(member('description', '""'))),
    processors: prettyJson(member('processors', '[]')),
    others: members.filter(([key]) => key !== 'description' && key !== 'processors'),
  };
}

/** A list of JSON objects as it is written; a sentence if it is none. */
export function readList(text: string, what: string): readonly Readonly<Record<string, unknown>>[] | string {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '[]' : text);
    const isList = Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
    return isList ? (value as Readonly<Record<string, unknown>>[]) : `${what} must be a list of JSON objects.`;
  } catch (error) {
    return `${what}: ${(error as Error).message}`;
  }
}

/** The body of a pipeline; the processors go as they are written. */
export function pipelineBody({ description, processors, others }: PipelineText): string {
  const members = [
    ...(description === '' ? [] : [['description', JSON.stringify(description)] as const]),
    ['processors', processors.trim() === '' ? '[]' : processors] as const,
    ...others,
  ];
  return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** A processor of a list, for its card. */
export interface ProcessorCard {
  readonly type: string;
  /** Its settings on one line. */
  readonly settings: string;
}

/** The processors of a list that can be read. */
export const cardsOf = (processors: string): readonly ProcessorCard[] =>
  rawElements(processors).map((text) => {
    const [first] = rawMembers(text);
    if (first === undefined) return { type: '', settings: '' };
    return { type: first.key, settings: text.slice(first.from, first.to).replace(/\s+/g, ' ') };
  });

/** The list with a processor moved a place up, or without it. */
export function changedList(processors: string, at: number, change: 'up' | 'remove'): string {
  const texts = [...rawElements(processors)];
  const taken = texts.splice(at, 1);
  if (change === 'up') texts.splice(at - 1, 0, ...taken);
  return prettyJson(`[${texts.join(',')}]`);
}

/** One step of a simulation. */
export interface SimulatedStep {
  readonly document: number;
  readonly processor: string;
  readonly status: string;
  readonly before: string;
  readonly after: string;
}

const DROPPED = 'The document is dropped.';

function wordAt(text: string, ...keys: readonly string[]): string | null {
  const value = rawAt(text, keys);
  return value?.startsWith('"') ? (JSON.parse(value) as string) : value;
}

/** The answer of a verbose simulation, a row for each processor with the document before and after it. */
export function stepsOf(answer: string, documents: string): readonly SimulatedStep[] {
  const sources = rawElements(documents).map((text) => rawAt(text, ['_source']) ?? '');
  return rawElements(rawAt(answer, ['docs']) ?? '[]').flatMap((text, i) => {
    let before = sources[i] ?? '';
    const step = (processor: string, status: string, after: string): SimulatedStep => ({
      document: i + 1,
      processor,
      status,
      before: before === '' ? '' : prettyJson(before),
      after,
    });
    const failure = wordAt(text, 'error', 'reason');
    if (failure !== null) return [step('', 'error', failure)];
    return rawElements(rawAt(text, ['processor_results']) ?? '[]').map((result) => {
      const after = rawAt(result, ['doc', '_source']);
      const shown = wordAt(result, 'error', 'reason') ?? (after === null ? DROPPED : prettyJson(after));
      const made = step(wordAt(result, 'processor_type') ?? '', wordAt(result, 'status') ?? '', shown);
      before = after ?? before;
      return made;
    });
  });
}
