import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { callIn } from './call-in-code.ts';

const CALL = {
  baseUrl: 'http://127.0.0.1:8080',
  model: 'model_f_combined',
  endUser: 'alice',
  params: { strategy: `it's "Gated" \\ $HOME`, use_ml: true, regime: null },
};

test('the shell command passes the parameters to curl unchanged, whatever characters they contain', () => {
  const command = callIn('curl', CALL).replace(/^curl/, 'show');
  const script = `show() { for last; do :; done; printf %s "$last"; }\nSARING_KEY=sar_test\n${command}`;
  expect(JSON.parse(execFileSync('bash', ['-c', script], { encoding: 'utf8' }))).toEqual({
    params: CALL.params,
  });
});

test('the code in every language names the model, the end user and the variable of the key', () => {
  for (const language of ['curl', 'TypeScript', 'Python'] as const) {
    const code = callIn(language, CALL);
    expect(code).toContain('model_f_combined');
    expect(code).toContain('alice');
    expect(code).toContain('SARING_KEY');
  }
});
