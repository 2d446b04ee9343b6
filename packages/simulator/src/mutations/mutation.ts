import { type Task, TASKS } from '@shoal/cluster/testing';
import type { Guards } from '@shoal/consensus';
import type { TransportOptions } from '@shoal/transport';
import type { Lies } from '../disk/device.js';
import type { PlanOptions } from '../plan/draw-plan.js';

/** Handles a message that arrives at a node; `next` is the node's own handler. */
export type Receive = (
  action: string,
  payload: Uint8Array,
  next: (payload: Uint8Array) => Promise<Uint8Array>,
) => Promise<Uint8Array>;

/**
 * A bug that the simulator must notice. It is planted at the doors of the nodes, in their tasks or in the consensus
 * state machine's guards.
 */
export interface Mutation {
  readonly name: string;
  /** The runs in which it is looked for. */
  readonly plan: PlanOptions;
  readonly guards?: Guards;
  readonly lies?: Lies;
  readonly receive?: Receive;
  readonly tasks?: Readonly<Record<string, (task: Task) => Task>>;
}

/** Messages go through the mutation first. */
export function mutatedReceiver(options: TransportOptions, receive: Receive): TransportOptions {
  return {
    ...options,
    handler: (from, action, payload, signal, context) =>
      receive(action, new Uint8Array(payload), (changed) => options.handler(from, action, changed, signal, context)),
  };
}

/** Puts mutated tasks in the place of the master's; the answer puts the right ones back. */
export function plantTasks(mutated: NonNullable<Mutation['tasks']>): () => void {
  const catalogue = TASKS as Map<string, Task>;
  const before = Object.keys(mutated).map((name) => catalogue.get(name)!);
  for (const task of before) catalogue.set(task.name, mutated[task.name]!(task));
  return () => {
    for (const task of before) catalogue.set(task.name, task);
  };
}
