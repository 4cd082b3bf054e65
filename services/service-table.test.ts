import { expect, test } from 'vitest';
import { settingOf } from '#platform/configuration/settings.ts';
import { SERVICE_NAMES, SERVICES } from './service-table.ts';

test('every service comes after those that it calls, so that it stops before them', () => {
  const early = SERVICE_NAMES.flatMap((name, index) =>
    SERVICE_NAMES.slice(index + 1)
      .filter((later) => settingOf(later, 'ADDRESS') in SERVICES[name].settings)
      .map((later) => `${name} calls ${later}`),
  );
  expect(early).toEqual([]);
});
