import { readFile } from 'node:fs/promises';
import { CalendarFileError, readCalendarFile } from '#quant/exchange/calendar/calendar-file.ts';
import { IDX_CALENDAR, type TradingCalendar } from '#quant/exchange/calendar/trading-calendar.ts';
import { ConfigError } from '#platform/configuration/config.ts';

/**
 * The calendar of the exchange, overruled by the file that CALENDAR_FILE names.
 * @throws ConfigError that names the setting, the file, and the first value in it that is wrong
 */
export async function tradingCalendar(config: { CALENDAR_FILE: string }): Promise<TradingCalendar> {
  const { CALENDAR_FILE: path } = config;
  if (path === '') return IDX_CALENDAR;
  try {
    return readCalendarFile(await readFile(path, 'utf8'));
  } catch (error) {
    const isContent = error instanceof CalendarFileError;
    const problem = isContent ? error.message : `cannot be read: ${(error as NodeJS.ErrnoException).code}`;
    throw new ConfigError(`CALENDAR_FILE ${path}${isContent ? ':' : ''} ${problem}`, { cause: error });
  }
}
