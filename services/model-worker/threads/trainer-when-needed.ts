import { ThreadedTrainer } from '#trainer-threads/threaded-trainer.ts';

/** A trainer that is started when it is first needed, and again after it was stopped. */
export class TrainerWhenNeeded {
  readonly #threads: number;
  #trainer: Promise<ThreadedTrainer> | undefined;

  constructor(threads: number) {
    this.#threads = threads;
  }

  readonly get = (): Promise<ThreadedTrainer> => (this.#trainer ??= ThreadedTrainer.start(this.#threads));

  /** Ends its threads. Call while nothing trains. */
  async stop(): Promise<void> {
    const trainer = this.#trainer;
    this.#trainer = undefined;
    await (await trainer)?.stop();
  }
}
