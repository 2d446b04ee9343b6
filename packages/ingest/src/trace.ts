import { toApiError, toErrorBody } from '@shoal/errors';
import type { IngestDocument } from './document.js';
import type { IngestRun, Pending, Processor, ProcessorTrace } from './processor.js';
import { attempt, conditionHolds, CYCLE, handleFailure, runStep } from './run.js';
import { type AnswerBytes, documentJson } from './simulated-document.js';
import { andThen } from './steps-in-turns.js';

/** What one processor did, in the form of `processor_results`. */
type ProcessorResult = Readonly<Record<string, unknown>>;

/** Runs processors and notes what each does to the document. */
export class ResultTrace implements ProcessorTrace {
  readonly results: ProcessorResult[] = [];
  readonly #answer: AnswerBytes;

  constructor(answer: AnswerBytes) {
    this.#answer = answer;
  }

  run(processor: Processor, document: IngestDocument, run: IngestRun): Pending {
    this.#answer.check();
    const { condition } = processor;
    let holds: boolean;
    try {
      holds = conditionHolds(processor, document);
    } catch (thrown) {
      this.#note(processor, 'error', null, failureJson(thrown));
      throw thrown;
    }
    const tested = condition === null ? null : { condition: condition.text, result: holds };
    if (!holds) return this.#note(processor, 'skipped', tested, {});
    return processor.type === 'pipeline'
      ? this.#runPipeline(processor, document, run, tested)
      : this.#runOther(processor, document, run, tested);
  }

  #runOther(processor: Processor, document: IngestDocument, run: IngestRun, tested: object | null): Pending {
    const work = (): Pending => {
      const pending = runStep(processor, document, run);
      const end = (): Pending => this.#noteEnd(processor, document, run, tested);
      return pending ? pending.then(end) : end();
    };
    return attempt(work, (thrown) => this.#fail(processor, document, run, tested, thrown));
  }

  /** The processor `pipeline` is noted before the processors of its pipeline, without a document. */
  #runPipeline(processor: Processor, document: IngestDocument, run: IngestRun, tested: object | null): Pending {
    const at = this.results.length;
    this.#note(processor, 'success', tested, {});
    return attempt(
      () => runStep(processor, document, run),
      (thrown) => {
        const isCycle = toApiError(thrown).reason?.startsWith(CYCLE) === true;
        if (isCycle || this.results.length === at + 1) {
          this.results.length = at;
          return this.#fail(processor, document, run, tested, thrown);
        }
        return handleFailure(processor, document, run, thrown);
      },
    );
  }

  #noteEnd(processor: Processor, document: IngestDocument, run: IngestRun, tested: object | null): Pending {
    if (document.isDropped) return this.#note(processor, 'dropped', tested, {});
    return andThen(documentJson(document, this.#answer, run.pause), (doc) =>
      this.#note(processor, 'success', tested, { doc }),
    );
  }

  /** Notes a failure, and goes on with what the processor does about it. */
  #fail(
    processor: Processor,
    document: IngestDocument,
    run: IngestRun,
    tested: object | null,
    thrown: unknown,
  ): Pending {
    const failure = failureJson(thrown);
    const goOn = (status: string, result: ProcessorResult): Pending => {
      this.#note(processor, status, tested, result);
      return handleFailure(processor, document, run, thrown);
    };
    if (!processor.ignoreFailure) return goOn('error', failure);
    return andThen(documentJson(document, this.#answer, run.pause), (doc) =>
      goOn('error_ignored', { ignored_error: failure, doc }),
    );
  }

  #note({ type, tag, description }: Processor, status: string, tested: object | null, rest: ProcessorResult): void {
    this.results.push({
      processor_type: type,
      status,
      ...(description === null ? {} : { description }),
      ...(tag === null ? {} : { tag }),
      ...(tested === null ? {} : { if: tested }),
      ...rest,
    });
  }
}

function failureJson(thrown: unknown): Record<string, unknown> {
  return { error: toErrorBody(thrown)['error'] };
}
