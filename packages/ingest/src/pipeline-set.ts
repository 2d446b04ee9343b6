import { errors, toApiError } from '@shoal/errors';
import type { JsonObject } from '@shoal/json';
import { compilePipeline, type CompileSite } from './pipeline.js';
import type { Pipeline, Processor } from './processor.js';

/** Bodies of pipelines by name, as the cluster state keeps them. */
export type PipelineBodies = Readonly<Record<string, unknown>>;

interface CompiledBody {
  readonly body: unknown;
  readonly pipeline: Pipeline;
}

/** The pipelines of a node: compiled when they are first used, and again when their bodies have changed. */
export class PipelineSet {
  /** Surroundings of its pipelines, through which they find each other. */
  readonly site: CompileSite;
  readonly #compiled = new Map<string, CompiledBody>();
  #bodies: PipelineBodies = {};

  constructor(surroundings: Omit<CompileSite, 'pipeline'>) {
    this.site = { ...surroundings, pipeline: (name) => this.get(name) };
  }

  /** Sets the pipelines that there are now. */
  update(bodies: PipelineBodies): void {
    if (bodies === this.#bodies) return;
    this.#bodies = bodies;
    for (const name of this.#compiled.keys()) if (!Object.hasOwn(bodies, name)) this.#compiled.delete(name);
  }

  /** Returns a pipeline; null if there is none of the name. Throws if it does not compile. */
  get(name: string): Pipeline | null {
    if (!Object.hasOwn(this.#bodies, name)) return null;
    const body = this.#bodies[name];
    const known = this.#compiled.get(name);
    if (known !== undefined && known.body === body) return known.pipeline;
    const pipeline = compileStored(name, body as JsonObject, this.site);
    if (known !== undefined) takeCounters(pipeline, known.pipeline);
    this.#compiled.set(name, { body, pipeline });
    return pipeline;
  }

  /** Returns all pipelines that compile. */
  all(): Pipeline[] {
    return Object.keys(this.#bodies).flatMap((name) => {
      try {
        return this.get(name) ?? [];
      } catch {
        return [];
      }
    });
  }
}

/** Compiles a pipeline that was accepted before, perhaps by a node that knows more processors. */
function compileStored(name: string, body: JsonObject, site: CompileSite): Pipeline {
  try {
    return compilePipeline(name, body, site);
  } catch (thrown) {
    const cause = toApiError(thrown);
    throw errors.refusedState(`pipeline with id [${name}] could not be loaded, caused by [${cause.reason}]`, { cause });
  }
}

/** Keeps the figures of a pipeline over its update, and those of its processors as long as type and tag stay. */
function takeCounters(pipeline: Pipeline, before: Pipeline): void {
  pipeline.counters.take(before.counters);
  const left = [...before.processors];
  for (const processor of pipeline.processors) {
    const at = left.findIndex((old) => isSameProcessor(old, processor));
    if (at >= 0) processor.counters.take(left.splice(at, 1)[0]!.counters);
  }
}

const isSameProcessor = (a: Processor, b: Processor): boolean => a.type === b.type && a.tag === b.tag;
