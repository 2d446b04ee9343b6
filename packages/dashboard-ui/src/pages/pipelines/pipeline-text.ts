/** A pipeline as the cluster answers it. */
export interface PipelineBody {
  readonly description?: string;
  readonly processors?: readonly Readonly<Record<string, unknown>>[];
  readonly [other: string]: unknown;
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

/** The body of a pipeline; the processors go as they are written, so that numbers keep their digits. */
export function pipelineBody(body: PipelineBody, description: string, processors: string): string {
  const others = Object.entries(body).filter(([name]) => name !== 'processors' && name !== 'description');
  const members = [
    ...(description === '' ? [] : [`"description":${JSON.stringify(description)}`]),
    `"processors":${processors.trim() === '' ? '[]' : processors}`,
    ...others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
  ];
  return `{${members.join(',')}}`;
}

/** One step of a simulation. */
export interface SimulatedStep {
  readonly document: number;
  readonly processor: string;
  readonly status: string;
  readonly before: string;
  readonly after: string;
}

interface VerboseResult {
  readonly processor_type?: string;
  readonly status?: string;
  readonly doc?: { readonly _source?: unknown };
  readonly error?: { readonly reason?: string };
}

const shown = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** The answer of a verbose simulation, a row for each processor with the document before and after it. */
export function stepsOf(
  answer: unknown,
  documents: readonly Readonly<Record<string, unknown>>[],
): readonly SimulatedStep[] {
  const { docs = [] } = (answer ?? {}) as {
    docs?: readonly {
      readonly processor_results?: readonly VerboseResult[];
      readonly error?: { readonly reason?: string };
    }[];
  };
  return docs.flatMap(({ processor_results: results = [], error }, i) => {
    let before: unknown = documents[i]?.['_source'];
    if (error !== undefined)
      return [{ document: i + 1, processor: '', status: 'error', before: shown(before), after: error.reason ?? '' }];
    return results.map((result): SimulatedStep => {
      const after = result.doc?._source;
      const step = {
        document: i + 1,
        processor: result.processor_type ?? '',
        status: result.status ?? '',
        before: shown(before),
        after:
          result.error === undefined
            ? after === undefined
              ? 'The document is dropped.'
              : shown(after)
            : (result.error.reason ?? ''),
      };
      if (after !== undefined) before = after;
      return step;
    });
  });
}
