import { CommanderError } from 'commander';
import { gaveNoAnswer } from '#shared/grpc/error-metadata.ts';
import { ServiceError } from '#shared/service-error.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** What the command says of a failure, in one sentence, and what it exits with. */
export function describeFailure(error: unknown): { message: string | undefined; exitCode: number } {
  // Commander has printed its own sentence already.
  if (error instanceof CommanderError) {
    return { message: undefined, exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage };
  }
  if (error instanceof CommandFailure) return { message: error.message, exitCode: error.exitCode };
  if (!(error instanceof ServiceError)) return { message: (error as Error).message, exitCode: EXIT.refused };
  if (gaveNoAnswer(error)) {
    return {
      message: "the fleet does not answer. Is it running? Start it with 'make run'.",
      exitCode: EXIT.noFleet,
    };
  }
  return { message: `${error.message} (${error.code})`, exitCode: EXIT.refused };
}
