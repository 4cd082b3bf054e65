import { expect, test } from 'vitest';
import { routes } from '../routes/index.ts';
import { codeSamplesOf } from './code-samples.ts';

test('a sample sends what its endpoint needs: key, end user, idempotency key, body', () => {
  const route = routes.find(({ operationId }) => operationId === 'submitRun')!;
  const [curl, typescript, python] = codeSamplesOf(route);
  expect(curl!.source).toBe(
    `curl -sS -X POST "$SARING_URL/api/v1/models/model_f_combined/runs?wait=30" \\
  -H "X-API-Key: $SARING_KEY" \\
  -H 'X-End-User: user-42' \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H 'Content-Type: application/json' \\
  -d '{"params":{"min_probability":60,"max_picks":5}}'`,
  );
  expect(typescript!.source).toContain("saring.rest.post('/api/v1/models/{model_id}/runs', {");
  expect(python!.source).toContain('with Saring(base_url=url, api_key=key, end_user="user-42") as saring:');
  expect(python!.source).toContain(
    'print(saring.rest.post("/api/v1/models/{model_id}/runs", query={"wait": 30}, ' +
      'body={"params": {"min_probability": 60, "max_picks": 5}}, model_id="model_f_combined"))',
  );
  const asOperator = routes.find(({ operationId }) => operationId === 'getQueue')!;
  expect(codeSamplesOf(asOperator)[0]!.source).toContain('-H "Authorization: Bearer $OPERATOR_TOKEN"');
});
