import { EXIT } from '#shared/process/exit-codes.ts';
import { CommandFailure } from './command-failure.ts';

/** Services report progress at least every two seconds; one that is silent for longer than this hangs. */
const MAX_SILENCE_MS = 30_000;

/** The messages of a call, which ends when none has come for too long. */
export async function* notSilent<Message>(
  begin: (signal: AbortSignal) => AsyncIterable<Message>,
  longestSilenceMs = MAX_SILENCE_MS,
): AsyncGenerator<Message> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), longestSilenceMs);
  try {
    for await (const message of begin(silence.signal)) {
      timer.refresh();
      yield message;
    }
  } catch (error) {
    if (!silence.signal.aborted) throw error;
    const seconds = longestSilenceMs / 1_000;
    throw new CommandFailure(
      EXIT.noFleet,
      `the service has been silent for ${seconds} s; what was under way is given up and nothing is published.`,
    );
  } finally {
    clearTimeout(timer);
  }
}
