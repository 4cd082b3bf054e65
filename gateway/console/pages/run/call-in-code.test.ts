import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callIn } from './call-in-code.ts';

const CALL = {
  baseUrl: 'http://127.0.0.1:8080',
  model: 'model_f_combined',
  endUser: 'alice',
  params: { strategy: `it's "Gated" \\ $HOME`, use_ml: true, regime: null },
};

test('a shell hands curl the parameters as they are, whatever characters are in them', () => {
  const command = callIn('curl', CALL).replace(/^curl/, 'show');
  const script = `show() { for last; do :; done; printf %s "$last"; }\nSARING_KEY=sar_test\n${command}`;
  expect(JSON.parse(execFileSync('bash', ['-c', script], { encoding: 'utf8' }))).toEqual({
    params: CALL.params,
  });
});

test('every language names the model and the end user, and the key by its variable alone', () => {
  for (const language of ['curl', 'TypeScript', 'Python'] as const) {
    const code = callIn(language, CALL);
    expect(code).toContain('model_f_combined');
    expect(code).toContain('alice');
    expect(code).toContain('SARING_KEY');
  }
});
