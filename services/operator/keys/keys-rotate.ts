import { InvalidArgumentError, Option, type Command } from 'commander';
import { withFleet } from '../operator-session.ts';
import { answer, type OutputOptions } from '../output.ts';
import { given } from './keys-options.ts';
import { newSecretDocument, rotatedText } from './keys-text.ts';
import { secondsOf } from '../commands/moments.ts';

const USUAL_GRACE_SECONDS = 86_400;
const MAX_GRACE_SECONDS = 30 * 86_400;

/** `saring keys rotate` */
export function addRotateCommand(keys: Command): void {
  keys
    .command('rotate <id>')
    .description('give a key a new secret, shown once; the old one works for a while longer')
    .addOption(
      new Option(
        '--grace <duration>',
        'for how long the old one works, 0 to 30d; still older ones keep their end',
      )
        .argParser(graceSeconds)
        .default(USUAL_GRACE_SECONDS, '24h'),
    )
    .option('--json', 'one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  saring keys rotate key_0123456789abcdef01234567 --grace 7d' +
        '\n  saring keys rotate key_0123456789abcdef01234567 --grace 0    # the old one is known to others',
    )
    .action(rotate);
}

async function rotate(id: string, options: OutputOptions & { grace: number }): Promise<void> {
  await withFleet(async ({ keys, call }) => {
    const { api_key, secret } = await keys.rotateKey({ id, grace_seconds: options.grace }, call);
    const key = given(api_key);
    answer(options, newSecretDocument(key, secret), () => rotatedText(key, secret));
  });
}

/** Seconds travel as a 32-bit number; many more would be other ones. */
function graceSeconds(text: string): number {
  const seconds = secondsOf(text);
  if (seconds > MAX_GRACE_SECONDS) throw new InvalidArgumentError('must be at most 30d.');
  return seconds;
}
